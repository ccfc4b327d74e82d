import { Temporal } from 'temporal-polyfill'
import { plainLetters } from '../text/plain-letters.ts'

/** The file names of downloaded reports (answers §11). */

/** The parts of a file name. */
export interface NamedReport {
  readonly id: number
  readonly name: string
  /** Unix milliseconds, half-open. */
  readonly fromAt: number
  readonly toAt: number
}

export type ReportFileKind = 'json' | 'pdf'

/** One name for systems that take plain letters only, and one in the user's own spelling. */
export interface FileNames {
  readonly plain: string
  readonly full: string
}

/**
 * Path separators, characters that Windows forbids, control characters, and those that reverse the reading direction.
 */
const unfit = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu
/** Together with the days it stays within file systems' limits, even with four-byte characters. */
const longestName = 50

function dayAt(at: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()
}

function stemOf(name: string): string {
  return plainLetters(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
}

/**
 * `report-12-dostepnosc-sklepu-2026-11-01.pdf` and `Dostępność sklepu 2026-11-01–2026-11-30.pdf`.
 * @param zone IANA name, of the report's owner: its calendar has the days
 */
export function reportFileNames(report: NamedReport, zone: string, kind: ReportFileKind): FileNames {
  const { id, name, fromAt, toAt } = report
  const [first, last] = [dayAt(fromAt, zone), dayAt(Math.max(fromAt, toAt - 1), zone)]
  const stem = ['report', String(id), stemOf(name), first].filter((part) => part !== '').join('-')
  const readable = [...name.replaceAll(unfit, ' ').replaceAll(/\s+/g, ' ')].slice(0, longestName).join('')
  const title = readable.replaceAll(/^[ .]+|[ .]+$/g, '')
  const days = first === last ? first : `${first}–${last}`
  return { plain: `${stem}.${kind}`, full: title === '' ? `${stem}.${kind}` : `${title} ${days}.${kind}` }
}

/**
 * The characters allowed unescaped in an extended parameter (RFC 8187, attr-char) are a subset of those allowed in a
 * URI component.
 */
function extended(value: string): string {
  return encodeURIComponent(value).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}

/** The header of a download (RFC 6266): old programs read the plain name, all others the full one. */
export function attachmentHeader({ plain, full }: FileNames): string {
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended(full)}`
}
