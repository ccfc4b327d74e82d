import { isObject } from '../domain/input/json.ts'
import type { Numbered } from '../sensor/messages.ts'
import type {
  CheckArtifact,
  CheckEvidence,
  CheckJob,
  CheckResult,
  DiagnosticJob,
  DiagnosticResult,
} from '../sensor/protocol.ts'
import { readDiagnosticJob, readDiagnosticResult, readItems, readJob, readResult } from './read-items.ts'

/**
 * Processes with another number are ignored, because their messages may mean something else. Unknown members are
 * ignored.
 */
export const messageBusProtocol = 1

/**
 * The messages between processes of one core. Only they can send them (`seal.ts`), and the content is still validated
 * (`read-items.ts`).
 */
export type Frame =
  | { readonly kind: 'jobs'; readonly items: readonly Numbered<CheckJob>[] }
  | { readonly kind: 'results'; readonly items: readonly Numbered<CheckResult>[] }
  | { readonly kind: 'diagnose'; readonly items: readonly Numbered<DiagnosticJob>[] }
  | { readonly kind: 'diagnoses'; readonly items: readonly Numbered<DiagnosticResult>[] }

/** Several items share a frame up to this size. */
const usualFrameBytes = 524_288

interface SentArtifact extends Omit<CheckArtifact, 'bytes'> {
  readonly base64: string
}

interface SentResult extends Omit<CheckResult, 'evidence'> {
  readonly evidence: (Omit<CheckEvidence, 'artifacts'> & { readonly artifacts: readonly SentArtifact[] }) | null
}

function sentResult(result: CheckResult): SentResult {
  const { evidence } = result
  if (evidence === null) return { ...result, evidence }
  const artifacts = evidence.artifacts.map(({ bytes, ...artifact }) => {
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    return { ...artifact, base64 }
  })
  return { ...result, evidence: { ...evidence, artifacts } }
}

function textOf({ kind, items }: Frame): readonly string[] {
  return kind === 'results'
    ? items.map(([number, result]) => JSON.stringify([number, result.evidence === null ? result : sentResult(result)]))
    : items.map((item) => JSON.stringify(item))
}

/** The frame's items in as few frames as their sizes allow. */
export function encodeFrames(frame: Frame): readonly Buffer[] {
  const groups: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const text of textOf(frame)) {
    if (length + text.length > usualFrameBytes) {
      groups.push([])
      length = 0
    }
    groups.at(-1)?.push(text)
    length += text.length
  }
  return groups.map((texts) => Buffer.from(`{"kind":"${frame.kind}","items":[${texts.join(',')}]}`))
}

/** Null for a kind of frame that this version does not know. Throws if the bytes are no frame. */
export function decodeFrame(bytes: Buffer): Frame | null {
  const frame: unknown = JSON.parse(bytes.toString())
  if (!isObject(frame) || typeof frame['kind'] !== 'string') throw new Error('no frame')
  const { kind, items } = frame
  if (kind === 'jobs') return { kind, items: readItems(items, readJob) }
  if (kind === 'results') return { kind, items: readItems(items, readResult) }
  if (kind === 'diagnose') return { kind, items: readItems(items, readDiagnosticJob) }
  if (kind === 'diagnoses') return { kind, items: readItems(items, readDiagnosticResult) }
  return null
}
