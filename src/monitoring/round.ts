import type { Claim, Target } from '../database/claims.ts'
import type { CheckArtifact, CheckResult } from '../sensor/protocol.ts'
import { type AnalyseParts, type Analysis, analyse } from './analyse.ts'
import type { KeptArtifact, KeptArtifacts } from './history-row.ts'
import type { Log } from './outage.ts'
import type { Recorder } from './recorder.ts'

/** Keeps a file of a failed check and returns the key under which it is found again; null when it is not kept. */
export type KeepArtifact = (bytes: Uint8Array) => Promise<string | null>

export interface RoundParts extends AnalyseParts {
  readonly recorder: Pick<Recorder, 'add'>
  readonly keepArtifact: KeepArtifact
  readonly log: Log
}

/** One round from its claim to the recorder's queue. */
export async function runRound(claim: Claim, target: Target, parts: RoundParts): Promise<void> {
  const analysis = await analyse(claim, target, parts)
  if (analysis === null) {
    parts.recorder.add({ claim, analysis, artifacts: new Map() })
    return
  }
  const artifacts = await keepArtifacts(claim.serviceId, analysis, parts)
  const checks = analysis.checks.map(withoutArtifacts)
  parts.recorder.add({ claim, analysis: { ...analysis, checks }, artifacts })
}

async function keepArtifacts(serviceId: number, analysis: Analysis, parts: RoundParts): Promise<KeptArtifacts> {
  const kept = new Map<number, readonly KeptArtifact[]>()
  for (const { sensorId, result, evidence } of analysis.checks) {
    if (result !== 'error' || evidence === null || evidence.artifacts.length === 0) continue
    const found = await Promise.all(
      evidence.artifacts.map((artifact) => keep(artifact, { serviceId, sensorId }, parts)),
    )
    kept.set(
      sensorId,
      found.filter((artifact) => artifact !== null),
    )
  }
  return kept
}

async function keep(
  { typeId, contentType, bytes }: CheckArtifact,
  check: { readonly serviceId: number; readonly sensorId: number },
  { keepArtifact, log }: RoundParts,
): Promise<KeptArtifact | null> {
  try {
    const key = await keepArtifact(bytes)
    return key === null ? null : { id: typeId, key, content_type: contentType, size: bytes.length }
  } catch (error) {
    log.error({ err: error, typeId, ...check }, 'An artifact of a failed check could not be kept')
    return null
  }
}

/** Finished rounds may wait long for the database; their files must not. */
function withoutArtifacts(check: CheckResult): CheckResult {
  const { evidence } = check
  return evidence === null || evidence.artifacts.length === 0
    ? check
    : { ...check, evidence: { ...evidence, artifacts: [] } }
}
