/** Real results of this machine's stations from failing targets: the source of the month's evidence. */

import { needsBrowser, needsSensors } from '../checks/index.ts'
import { answerDeadline } from '../domain/judging/analysis.ts'
import { errorType } from '../domain/judging/error-types.ts'
import { effectiveSettings } from '../domain/services/extended-settings.ts'
import type { CheckArtifact, CheckEvidence, CheckResult, Stations } from '../sensor/protocol.ts'
import { demoType } from './company.ts'
import type { Targets } from './targets/targets.ts'
import type { DemoService, TargetPorts } from './watched.ts'

/** Evidence by the key of the service. */
export interface Samples {
  /** From failed checks. */
  readonly failed: ReadonlyMap<string, CheckEvidence>
  /** The pictures of good pages. */
  readonly good: ReadonlyMap<string, CheckEvidence>
}

/**
 * Checks every good page once, makes every service fail once and keeps the evidence. A check that did not fail as
 * intended gives none.
 */
export async function takeSamples(
  services: readonly DemoService[],
  targets: Targets,
  stations: Stations,
  sensorId: number,
): Promise<Samples> {
  const samples = new Map<string, CheckEvidence>()
  const good = new Map<string, CheckEvidence>()
  for (const service of services) {
    if (!needsBrowser(service.typeId)) continue
    const { result, evidence } = await checkOnce(service, targets.places, stations, sensorId)
    if (result === 'ok' && evidence !== null) good.set(service.key, evidence)
  }
  const asked = services.filter(({ typeId }) => needsSensors(typeId))
  for (const { part } of services) targets.harm(part)
  try {
    const take = async (service: DemoService) => {
      const { evidence, errorTypeId } = await checkOnce(service, targets.places, stations, sensorId)
      if (evidence !== null && errorTypeId === errorType(service.failing.symbol).id) samples.set(service.key, evidence)
    }
    // A browser with a single page is in time even on a slow machine.
    const takePages = async () => {
      for (const service of services) if (needsBrowser(service.typeId)) await take(service)
    }
    await Promise.all([takePages(), ...asked.filter(({ typeId }) => !needsBrowser(typeId)).map(take)])
  } finally {
    for (const { part } of services) targets.mend(part)
  }
  return { failed: samples, good }
}

function checkOnce(
  service: DemoService,
  places: TargetPorts,
  stations: Stations,
  sensorId: number,
): Promise<CheckResult> {
  const { typeId } = service
  const settings = effectiveSettings(demoType(typeId), service.settings?.(places) ?? {})
  const startAt = Date.now()
  const deadlineAt = answerDeadline(startAt, settings, needsBrowser(typeId))
  return stations.check({
    ...{ serviceId: 0, sensorId, typeId, address: service.address(places), settings, startAt, deadlineAt },
    wantsScreenshot: true,
  })
}

/** The evidence moved to another moment, with its times changed. */
export function evidenceAt(sample: CheckEvidence, at: number): CheckEvidence {
  return {
    ...sample,
    response_headers: sample.response_headers?.replace(/^(date: ).*$/im, (_line, name) => name + httpDate(at)) ?? null,
    artifacts: sample.artifacts.map((artifact) => artifactAt(artifact, at)),
  }
}

function httpDate(at: number): string {
  return new Date(at).toUTCString()
}

const harMoment = /"(startedDateTime|expires)":\s*"([^"]+)"/g

function artifactAt(artifact: CheckArtifact, at: number): CheckArtifact {
  if (artifact.typeId !== 'har') return artifact
  const text = Buffer.from(artifact.bytes).toString('utf8')
  const begunAt = Math.min(...[...text.matchAll(harMoment)].map(([, , moment = '']) => Date.parse(moment)))
  if (!Number.isFinite(begunAt)) return artifact
  const moved = text.replaceAll(harMoment, (_whole, name: string, moment: string) => {
    return `"${name}":"${new Date(Date.parse(moment) - begunAt + at).toISOString()}"`
  })
  return { ...artifact, bytes: Buffer.from(moved) }
}
