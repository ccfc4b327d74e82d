import type { Clock } from '../domain/clock.ts'
import type { DiagnosticRequest } from '../domain/services/diagnostic.ts'
import { errorText } from '../domain/text/error-text.ts'
import { Attempt } from './attempt.ts'
import { queryDns } from './diagnostics/dns.ts'
import { traceRoute } from './diagnostics/traceroute.ts'
import type { Equipment } from './equipment.ts'

import type { DiagnosticJob, DiagnosticResult } from './protocol.ts'

/** Longer lines, or more of them, help no reader; a hostile server must not fill the database. */
const longestLine = 1000
const mostLines = 200

interface Tools {
  readonly equipment: Equipment
  readonly clock: Clock
}

function run(request: DiagnosticRequest, attempt: Attempt, equipment: Equipment, write: (line: string) => void) {
  return request.kind === 'dns'
    ? queryDns(request, attempt, equipment, write)
    : traceRoute(request, attempt, equipment, write)
}

/** Runs the diagnostic. Lines from before a failure are kept. Never rejects. */
export async function runDiagnostic(
  { request, deadlineAt }: DiagnosticJob,
  { equipment, clock }: Tools,
): Promise<DiagnosticResult> {
  const attempt = new Attempt(request.host, Math.max(1, deadlineAt - clock.now()))
  const lines: string[] = []
  const write = (line: string) => {
    if (lines.length < mostLines) lines.push(line.slice(0, longestLine))
  }
  try {
    await run(request, attempt, equipment, write)
    return { isOk: true, lines }
  } catch (error) {
    return { isOk: false, lines: [...lines, errorText(error).slice(0, longestLine)] }
  } finally {
    attempt.stop()
  }
}
