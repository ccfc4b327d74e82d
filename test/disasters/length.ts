/** DISASTERS=long: every outage lasts as long as an operator would call one, and all of them happen. */
export const isLong = process.env['DISASTERS'] === 'long'

export const needsLong = 'takes minutes: set DISASTERS=long'
