import { readdirSync } from 'node:fs'
import { chosenByCommit } from './commit-seed.ts'

/** Files of the console that every push runs: the whole way of a user, the login, and the size of what is loaded. */
const always = ['journeys', 'login', 'size', 'keyboard']
/** Every commit runs one of so many parts of the others. */
const parts = 3

export interface ChosenFiles {
  readonly run: readonly string[]
  readonly left: readonly string[]
}

/** A browser costs more than all other tests, so the commit chooses a third of its files. */
export function consoleFiles(): ChosenFiles {
  const files = readdirSync('test/console')
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/console/${name}`)
    .toSorted()
  const others = files.filter((path) => !always.some((name) => path.endsWith(`/${name}.test.ts`)))
  const byPart = Array.from({ length: parts }, (_, part) => others.filter((_file, index) => index % parts === part))
  const chosen = new Set(chosenByCommit(byPart, 1).flat())
  const left = others.filter((path) => !chosen.has(path))
  return { run: files.filter((path) => !left.includes(path)), left }
}
