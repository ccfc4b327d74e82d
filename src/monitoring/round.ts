import type { Claim, Target } from '../database/claims.ts'
import type { CheckResult } from '../sensor/protocol.ts'
import { type AnalyseParts, type Analysis, analyse } from './analyse.ts'
import type { ContentKeys } from './history-row.ts'
import type { Log } from './outage.ts'
import type { Recorder } from './recorder.ts'

/** Keeps the page of a failed check and returns the key under which it is found again; null when it is not kept. */
export type KeepContent = (
  check: { readonly serviceId: number; readonly analysisId: number; readonly sensorId: number },
  content: Uint8Array,
  contentType: string,
) => Promise<string | null>

export interface RoundParts extends AnalyseParts {
  readonly recorder: Pick<Recorder, 'add'>
  readonly keepContent: KeepContent
  readonly log: Log
}

/** One round from its claim to the recorder's queue. */
export async function runRound(claim: Claim, target: Target, parts: RoundParts): Promise<void> {
  const analysis = await analyse(claim, target, parts)
  if (analysis === null) {
    parts.recorder.add({ claim, analysis, contentKeys: new Map() })
    return
  }
  const hasContent = analysis.checks.some(({ evidence }) => evidence?.content != null)
  const contentKeys: ContentKeys = hasContent ? await keepContents(claim.serviceId, analysis, parts) : new Map()
  const checks = hasContent ? analysis.checks.map(withoutContent) : analysis.checks
  parts.recorder.add({ claim, analysis: { ...analysis, checks }, contentKeys })
}

async function keepContents(serviceId: number, analysis: Analysis, parts: RoundParts): Promise<ContentKeys> {
  const keys = new Map<number, string>()
  for (const { sensorId, result, evidence } of analysis.checks) {
    if (result !== 'error' || evidence?.content == null) continue
    const check = { serviceId, analysisId: analysis.analysisId, sensorId }
    try {
      const key = await parts.keepContent(check, evidence.content, evidence.content_type ?? '')
      if (key !== null) keys.set(sensorId, key)
    } catch (error) {
      parts.log.error({ err: error, ...check }, 'The page of a failed check could not be kept')
    }
  }
  return keys
}

/** Finished rounds may wait long for the database; their pages must not. */
function withoutContent(check: CheckResult): CheckResult {
  return check.evidence === null ? check : { ...check, evidence: { ...check.evidence, content: null } }
}
