import * as z from 'zod'
import type { Expiry } from '../../domain/expiry/expiry.ts'
import { keptSizes } from '../../domain/judging/evidence.ts'
import { boundedResult } from '../bounded-result.ts'
import { largest } from '../bounds.ts'
import type { CheckEvidence, CheckResult } from '../protocol.ts'
import { readPlainResult } from './plain-result.ts'
import { resultSchema, type WireResult } from './result-schema.ts'
import { wireId } from './wire-texts.ts'

const identified = z.object({ id: wireId })

/** The job id of a result; null if even that cannot be read. */
export function resultIdOf(result: unknown): string | null {
  const outcome = identified.safeParse(result)
  return outcome.success ? outcome.data.id : null
}

/** Null for an invalid result. */
export function readResult(result: unknown): WireResult | null {
  return readPlainResult(result) ?? readResultBySchema(result)
}

export function readResultBySchema(result: unknown): WireResult | null {
  const outcome = resultSchema.safeParse(result)
  return outcome.success ? outcome.data : null
}

function within(given: number | null, greatest: number): number | null {
  return given === null ? null : Math.min(given, greatest)
}

/** The result in its wire form, within the limits that the core enforces. */
export function wireResult(resultId: string, given: CheckResult, startedAt: number): WireResult {
  const result = boundedResult(given)
  return {
    id: resultId,
    result: result.result,
    started_at: startedAt,
    response_time: within(result.responseTime, largest.responseMs),
    data_size: within(result.dataSize, largest.integer),
    error_type_id: result.errorTypeId,
    error_message: result.errorMessage,
    phases: result.phases,
    steps:
      result.steps?.map((step) => ({
        ...{ name: step.name, result: step.result },
        response_time: within(step.responseTime, largest.responseMs),
      })) ?? null,
    evidence: result.evidence === null ? null : wireEvidence(result.evidence),
    degraded: result.degraded ?? [],
    expiry: result.expiry === undefined ? null : wireExpiry(result.expiry),
  }
}

function wireExpiry({ kind, id, name, endsAt }: Expiry): WireResult['expiry'] {
  return { kind, id, name, ends_at: endsAt }
}

function wireEvidence({
  artifacts,
  facts,
  missing = [],
  ...evidence
}: CheckEvidence): NonNullable<WireResult['evidence']> {
  const kept = keptSizes(artifacts.map(({ typeId, bytes }) => ({ typeId, size: bytes.length })))
  return {
    ...evidence,
    facts: { ...facts },
    missing: [
      ...missing,
      ...artifacts.flatMap(({ typeId: id }) => (kept.get(id) === null ? [{ id, reason: 'too_large' }] : [])),
    ],
    artifacts: artifacts.flatMap(({ typeId, contentType, bytes }) => {
      const size = kept.get(typeId) ?? null
      if (size === null) return []
      // One byte more than is kept shows that there was more.
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, size + 1)).toString('base64')
      return [{ type_id: typeId, content_type: contentType, data }]
    }),
  }
}
