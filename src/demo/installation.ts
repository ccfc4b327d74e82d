/** The demo's own state from one run to the next: a file in its directory. */

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { generatePassword } from '../auth/password.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { selfSigned } from './targets/certificates.ts'
import { placeNames, type TargetPorts } from './watched.ts'

const port = z.int().min(0).max(65_535)
/** A demo of an older version has fewer of them. */
function ofEachPlace<Value>(value: Value): Record<keyof TargetPorts, Value> {
  return Object.fromEntries(placeNames.map((name) => [name, value])) as Record<keyof TargetPorts, Value>
}

const noteShape = z.object({
  /** The end of the month; null: it was never finished. Unix milliseconds. */
  madeAt: z.number().nullable(),
  /** The password of every login. */
  password: z.string(),
  places: z.object(ofEachPlace(port.default(0))),
  certificate: z.object({ cert: z.string(), key: z.string() }),
})

export type Note = z.infer<typeof noteShape>

const noteName = 'demo.json'
/** The remaining life of the shop's certificate on the first day. */
const certificateDays = 12

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
}

/** Null if no demo was made. Throws `CannotStart` if the directory belongs to somebody else. */
export async function readNote(directory: string): Promise<Note | null> {
  const names = await namesIn(directory)
  if (names.length === 0) return null
  if (!names.includes(noteName))
    throw new CannotStart(
      `${directory} holds something else than the demo; choose an empty directory with --directory.`,
    )
  try {
    return noteShape.parse(JSON.parse(await readFile(join(directory, noteName), 'utf8')))
  } catch {
    throw new CannotStart(`${join(directory, noteName)} cannot be read; begin anew with --fresh.`)
  }
}

/** Removes a demo, and nothing else. */
export async function removeDemo(directory: string): Promise<void> {
  const names = await namesIn(directory)
  if (names.length === 0) return
  if (!names.includes(noteName))
    throw new CannotStart(`${directory} holds something else than the demo and is not removed.`)
  await rm(directory, { recursive: true })
}

/** Readers never see part of the file. */
export async function writeNote(directory: string, note: Note): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const unfinished = join(directory, `.${noteName}`)
  await writeFile(unfinished, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, join(directory, noteName))
}

/** Any free ports. */
export function newNote(now: number): Note {
  return {
    madeAt: null,
    password: generatePassword(),
    places: ofEachPlace(0),
    certificate: selfSigned({ names: ['127.0.0.1', '::1', 'localhost'], notAfter: now + certificateDays * dayLength }),
  }
}
