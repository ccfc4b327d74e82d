import { open, readFile, stat } from 'node:fs/promises'
import { FaultyConfiguration } from '../configuration/fault.ts'
import { readYaml } from '../configuration/yaml.ts'
import { isObject } from '../domain/json.ts'
import { type Row, rowOf } from './row.ts'

/** A file that an importer is given. */
export interface Input {
  readonly path: string
  /** The first bytes, which tell formats apart. */
  readonly head: Buffer
  readonly text: () => Promise<string>
}

const largestText = 64 * 1024 * 1024
const headLength = 4096

/** A refusal of a whole file, or of a place in it. */
export function faulty(path: string, message: string, line = 1, column = 1): FaultyConfiguration {
  return new FaultyConfiguration([{ place: { file: path, line, column }, pointer: '', message }])
}

/** @param path of a file; a folder is refused */
export async function inputOf(path: string): Promise<Input> {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw new Error('it is no file')
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0)
      return { path, head: buffer.subarray(0, bytesRead), text: () => textOf(path, found.size) }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new FaultyConfiguration([
      { place: null, pointer: '', message: `${path} cannot be read: ${reasonOf(error)}.` },
    ])
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'there is no such file'
  return error instanceof Error ? error.message : String(error)
}

async function textOf(path: string, size: number): Promise<string> {
  if (size > largestText) throw faulty(path, `A text has at most ${largestText / 1024 / 1024} MiB; this one has more.`)
  return decoded(path, await readFile(path))
}

function decoded(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw faulty(path, 'This is no text in UTF-8.')
  }
}

/** Standard input, read at once. */
export function inputOfBytes(path: string, bytes: Buffer): Input {
  return { path, head: bytes.subarray(0, headLength), text: async () => decoded(path, bytes) }
}

/** YAML, or JSON, which is YAML too. */
export async function readValue(input: Input): Promise<unknown> {
  const text = await input.text()
  // The parser of JSON is a hundred times faster, and big exports are JSON; a fault gets its place from the other.
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return readYaml({ path: input.path, text }).value
    }
  }
  return readYaml({ path: input.path, text }).value
}

/** A file that holds one object. */
export async function readRow(input: Input): Promise<Row> {
  const value = await readValue(input)
  if (!isObject(value)) throw faulty(input.path, 'Expected an object at the top of the file.')
  return rowOf(value)
}
