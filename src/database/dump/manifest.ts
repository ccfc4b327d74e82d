import * as z from 'zod'
import { DumpRefused } from './refused.ts'

/**
 * backup: the whole database, for this version or a later one. export: users' input and measurements, for any version.
 */
export type DumpKind = 'backup' | 'export'

/** The version of the file format, not of the schema. */
export const formatVersion = 1
export const headerName = 'latarnik.json'
export const manifestName = 'manifest.json'
/** The last entry: SHA-256 of the manifest, in hexadecimal digits. */
export const sealName = 'manifest.sha256'

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

const headerSchema = z.object({
  format: z.enum(['latarnik-backup', 'latarnik-export']),
  format_version: z.int(),
  program_version: z.string(),
  /** Number of the last migration. */
  schema: z.int(),
  taken_at: z.iso.datetime(),
  /** True if a program worked on the database meanwhile, and went on after it. */
  was_in_use: z.boolean(),
  /** The days for which each partitioned table has a partition. */
  days: z.record(name, z.array(z.iso.date())),
})
export type DumpHeader = z.infer<typeof headerSchema>

const digest = z.string().regex(/^[0-9a-f]{64}$/)

const tableSchema = z.object({
  name,
  columns: z.array(name),
  rows: z.int(),
  parts: z.array(z.object({ path: z.string(), sha256: digest })),
})
export type DumpedTable = z.infer<typeof tableSchema>

const manifestSchema = z.object({
  header_sha256: digest,
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ name, last: z.int().nullable() })),
  /** Their names in the file contain the digests of their bytes; `sha256` is of the names, one per line. */
  artifacts: z.object({ count: z.int(), sha256: digest }),
})
export type Manifest = z.infer<typeof manifestSchema>

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

export function kindOf(header: DumpHeader): DumpKind {
  return header.format === 'latarnik-backup' ? 'backup' : 'export'
}

/** Throws `DumpRefused` if the file is foreign or of a later format. */
export function parseHeader(bytes: Buffer, file: string): DumpHeader {
  const value = parsed(bytes)
  const version = z.object({ format_version: z.int() }).safeParse(value)
  if (version.success && version.data.format_version > formatVersion) {
    throw new DumpRefused(
      `${file} has the format ${version.data.format_version}, and this program reads up to ${formatVersion}: use the version that wrote it or a later one.`,
    )
  }
  const outcome = headerSchema.safeParse(value)
  if (!outcome.success) throw noneOfOurs(file)
  return outcome.data
}

export function parseManifest(bytes: Buffer, file: string): Manifest {
  const outcome = manifestSchema.safeParse(parsed(bytes))
  if (!outcome.success) throw damaged(file, 'its manifest cannot be read')
  return outcome.data
}

export function noneOfOurs(file: string): DumpRefused {
  return new DumpRefused(`${file} is no backup or export of Latarnik.`)
}

export function damaged(file: string, how: string): DumpRefused {
  return new DumpRefused(`${file} is damaged: ${how}. Nothing was changed.`)
}
