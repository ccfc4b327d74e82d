import { chosenByCommit } from './commit-seed.ts'

/** `CONSOLE_TRIED=long`: every person and every look on every screen; minutes. Otherwise the commit chooses some. */
export const isConsoleTriedLong = process.env['CONSOLE_TRIED'] === 'long'

const all = [
  { width: 1280, height: 900, colorScheme: 'light', language: 'en', locale: 'en-GB' },
  { width: 360, height: 740, colorScheme: 'dark', language: 'pl', locale: 'pl-PL' },
  { width: 1280, height: 900, colorScheme: 'dark', language: 'pl', locale: 'pl-PL' },
  { width: 360, height: 740, colorScheme: 'light', language: 'en', locale: 'en-GB' },
] as const

/** The looks in which the screens are examined: both widths, colours and languages, in one of the two ways. */
export const looks = isConsoleTriedLong ? all : chosenByCommit([all.slice(0, 2), all.slice(2)], 1).flat()
