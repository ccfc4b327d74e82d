/** The waits of tests: many times longer than usual, because the machine may be busy with other tests. Milliseconds. */
export const patiently = { timeout: 60_000, interval: 20 }
