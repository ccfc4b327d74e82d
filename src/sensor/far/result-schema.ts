import * as z from 'zod'
import { isObject } from '../../domain/input/json.ts'
import { largest, longest, most } from '../bounds.ts'
import { readExpiry, readReasons } from '../read-degraded.ts'
import { orNull, wireCount, wireId, wireMoment, wireText } from './wire-texts.ts'

const phase = orNull(z.number().min(0).max(largest.phaseMs))

const fact = z.union([wireText(longest.text), z.number(), z.boolean(), z.null()])

const evidenceSchema = z.object({
  base_url: wireText(longest.text),
  ip_address: orNull(wireText(longest.id)),
  status_code: orNull(z.int().min(0).max(999)),
  response_headers: orNull(wireText(longest.headers)),
  content_type: orNull(wireText(longest.text)),
  file_name: orNull(wireText(longest.text)),
  facts: z
    .record(wireText(longest.name), fact)
    .refine((facts) => Object.keys(facts).length <= most.facts)
    .default({}),
  artifacts: z
    .array(
      z.object({
        type_id: wireText(longest.id),
        content_type: wireText(longest.text),
        data: z.string().max(longest.artifact),
      }),
    )
    .max(most.artifacts)
    .default([]),
  missing: z
    .array(z.object({ id: wireText(longest.id), reason: wireText(longest.id) }))
    .max(most.artifacts)
    .default([]),
})

export const resultSchema = z.object({
  id: wireId,
  result: z.enum(['ok', 'error', 'unknown']),
  started_at: wireMoment,
  response_time: orNull(z.int().min(0).max(largest.responseMs)),
  data_size: orNull(wireCount),
  error_type_id: orNull(wireCount),
  error_message: orNull(wireText(longest.message)),
  phases: orNull(z.object({ dns: phase, connect: phase, tls: phase, sent: phase, first_byte: phase, transfer: phase })),
  steps: orNull(
    z
      .array(
        z.object({
          name: wireText(longest.text),
          result: z.enum(['ok', 'error', 'not_run']),
          response_time: orNull(z.int().min(0).max(largest.responseMs)),
        }),
      )
      .max(most.steps),
  ),
  evidence: orNull(evidenceSchema),
  degraded: z.unknown().default(null).transform(readReasons),
  expiry: z.unknown().default(null).transform(readWireExpiry),
})

/** A function of its own, so that both readers of results read alike. */
export function readWireExpiry(given: unknown): WireExpiry | null {
  if (!isObject(given)) return null
  const expiry = readExpiry({ kind: given.kind, id: given.id, name: given.name, endsAt: given.ends_at })
  if (expiry === null) return null
  const { endsAt: ends_at, ...more } = expiry
  return { ...more, ends_at }
}

export interface WireExpiry {
  readonly kind: 'certificate' | 'domain'
  readonly id: string
  readonly name: string
  readonly ends_at: number
}

export type WireResult = z.output<typeof resultSchema>
