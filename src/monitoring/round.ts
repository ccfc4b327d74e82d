import { reportsIn } from '../checks/index.ts'
import type { CheckEvidence, CheckResult } from '../sensor/protocol.ts'
import type { ClaimedRound, RoundTarget } from '../service-state/claims.ts'
import { type AnalyseParts, analyse } from './analyse.ts'
import type { Analysis } from './analysis.ts'
import type { EvidenceKeeper, KeptArtifacts, KeptEvidence } from './evidence.ts'
import type { GoodScreenshots } from './good-screenshots.ts'
import { patienceOf } from './recordable-round.ts'
import type { Recorder } from './recorder.ts'

export interface RoundParts extends AnalyseParts {
  readonly recorder: Pick<Recorder, 'add'>
  readonly evidence: Pick<EvidenceKeeper, 'keep'>
  readonly goodScreenshots: Pick<GoodScreenshots, 'isWanted' | 'keep'>
}

/** One round from its claim to the recorder's queue. */
export async function runRound(claim: ClaimedRound, target: RoundTarget, parts: RoundParts): Promise<void> {
  if (reportsIn(target.type_id)) {
    parts.recorder.add({ claim, analysis: null, artifacts: new Map(), reportsIn: true })
    return
  }
  const wantsScreenshot = await parts.goodScreenshots.isWanted(target, Math.max(claim.dueAt, parts.clock.now()))
  const analysis = await analyse({ ...claim, wantsScreenshot }, target, parts)
  if (analysis === null || !analysis.checks.some(hasArtifacts)) {
    parts.recorder.add({ claim, analysis, artifacts: new Map(), patienceMs: patienceOf(claim, target, analysis) })
    return
  }
  const artifacts = await keepArtifacts(claim.serviceId, analysis, parts)
  const checks = analysis.checks.map(withoutArtifacts)
  parts.recorder.add({ claim, analysis: { ...analysis, checks }, artifacts })
  if (wantsScreenshot) await parts.goodScreenshots.keep(target, analysis)
}

async function keepArtifacts(serviceId: number, analysis: Analysis, parts: RoundParts): Promise<KeptArtifacts> {
  const origin = { serviceId, decidedAt: analysis.decidedAt }
  const kept = analysis.checks.map(async ({ sensorId, result, evidence }) => {
    return result === 'error' && evidence !== null && isToKeep(evidence)
      ? ([[sensorId, await parts.evidence.keep(evidence, origin)]] as [number, KeptEvidence][])
      : []
  })
  return new Map((await Promise.all(kept)).flat())
}

function hasArtifacts({ evidence }: CheckResult): boolean {
  return evidence !== null && isToKeep(evidence)
}

/** Missing pieces are stored too: the fact that they are missing. */
function isToKeep({ artifacts, missing = [] }: CheckEvidence): boolean {
  return artifacts.length > 0 || missing.length > 0
}

/** Finished rounds may wait long for the database; their files must not. */
function withoutArtifacts(check: CheckResult): CheckResult {
  const { evidence } = check
  return evidence === null ? check : { ...check, evidence: { ...evidence, artifacts: [] } }
}
