import { open, readFile, stat } from 'node:fs/promises'
import { FaultyConfiguration } from '../configuration/fault.ts'
import { largestFile, upTo } from '../configuration/files.ts'
import { readYaml } from '../configuration/yaml.ts'
import { positionIn, tooDeep } from '../configuration/yaml-bounds.ts'
import { isObject } from '../domain/input/json.ts'
import { isDeep, type Row, rowOf } from './row.ts'

/** A file that an importer is given. */
export interface Input {
  readonly path: string
  /** The first bytes, which tell formats apart. */
  readonly head: Buffer
  readonly text: () => Promise<string>
}

const mebibyte = 1024 * 1024
/** The bound of JSON, XML and tables; that of YAML is lower, because it costs more to read. */
const largestText = 64 * mebibyte
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
  if (size > largestText) throw tooLarge(path)
  return decoded(path, await readFile(path))
}

function tooLarge(path: string): FaultyConfiguration {
  return faulty(path, `A text has at most ${largestText / mebibyte} MiB; this one has more.`)
}

function decoded(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw faulty(path, 'This is no text in UTF-8.')
  }
}

/** Standard input, up to the bound of a text. */
export async function inputOfStream(path: string, stream: AsyncIterable<Buffer>): Promise<Input> {
  const bytes = await upTo(largestText, stream)
  if (bytes === null) throw tooLarge(path)
  return inputOfBytes(path, bytes)
}

export function inputOfBytes(path: string, bytes: Buffer): Input {
  return { path, head: bytes.subarray(0, headLength), text: async () => decoded(path, bytes) }
}

/** YAML, or JSON, which is YAML too. */
export async function readValue(input: Input): Promise<unknown> {
  const text = await input.text()
  // The parser of JSON is a hundred times faster, and big exports are JSON; a fault gets its place from the other.
  if (!/^\s*[[{]/.test(text)) return readYaml({ path: input.path, text }).value
  try {
    const value = JSON.parse(text) as unknown
    if (!isDeep(value)) return value
  } catch (error) {
    if (text.length > largestFile) throw faultOfJson(input.path, text, error)
    return readYaml({ path: input.path, text }).value
  }
  throw faulty(input.path, tooDeep)
}

/** The parser tells the offset, that the text ends too early, or neither. */
function faultOfJson(path: string, text: string, error: unknown): FaultyConfiguration {
  const told = error instanceof Error ? error.message : String(error)
  const [reason = told, place] = told.split(' at position ', 2)
  const offset = place === undefined ? (told.includes('end of JSON') ? text.length : 0) : Number.parseInt(place, 10)
  const { line, column } = positionIn(text, offset)
  return faulty(path, `This is no JSON: ${reason.replace(' in JSON', '')}.`, line, column)
}

/** A file that holds one object. */
export async function readRow(input: Input): Promise<Row> {
  const value = await readValue(input)
  if (!isObject(value)) throw faulty(input.path, 'Expected an object at the top of the file.')
  return rowOf(value)
}
