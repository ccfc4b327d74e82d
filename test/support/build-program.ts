import { execFileSync } from 'node:child_process'

/** Some tests run the program as `npm start` does. Once for the whole run: two builds at a time would disturb each other. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'])
}
