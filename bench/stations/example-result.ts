import type { WireResult } from '../../src/sensor/far/result-schema.ts'

/** The wire form of a good page's check. */
export function exampleResult(id: string, startedAt = Date.now()): WireResult {
  return {
    ...{ id, result: 'ok', started_at: startedAt, response_time: 17, data_size: 2048 },
    ...{ error_type_id: null, error_message: null, steps: null, evidence: null, degraded: [], expiry: null },
    phases: { dns: 0.51, connect: 1.27, tls: 4.1, sent: 0.1, first_byte: 9.33, transfer: 1.2 },
  }
}
