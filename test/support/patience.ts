/** How a test waits for what must come: many times longer than it takes, since the machine may be busy with other tests. Milliseconds. */
export const patiently = { timeout: 60_000, interval: 20 }
