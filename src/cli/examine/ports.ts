import type { Config } from '../../config/config.ts'
import { CannotStart } from '../../program/cannot-start.ts'
import { ensureCanListen, type Place, type PlaceNames, urlOf } from '../../program/listen.ts'
import { isLatarnik } from '../../program/running-api.ts'
import { attempt, type Finding } from './finding.ts'

export interface OpenedPort extends Place {
  readonly subject: string
  /** The variables that choose it. */
  readonly names: PlaceNames
  /** The place that reports the health of the program that opens this one. */
  readonly healthAt: Place
}

/** Every port that `latarnik start` opens with these settings. One that the system chooses is always free. */
export function openedPorts(
  config: Pick<Config, 'host' | 'port' | 'roles' | 'metrics' | 'statusPages'>,
): readonly OpenedPort[] {
  const { host, port, metrics, statusPages } = config
  const api = { host, port }
  const ofApi: readonly OpenedPort[] = [
    { ...api, subject: 'API', names: { host: 'HOST', port: 'PORT' }, healthAt: api },
    ...(statusPages === undefined
      ? []
      : [
          {
            ...{ host, port: statusPages.port, subject: 'Status pages' },
            ...{ names: { host: 'HOST', port: 'STATUS_PAGE_PORT' }, healthAt: api },
          },
        ]),
  ]
  const names = { host: 'METRICS_HOST', port: 'METRICS_PORT' }
  const ofAll = metrics === undefined ? [] : [{ ...metrics, subject: 'Metrics', names, healthAt: metrics }]
  return [...(config.roles.includes('api') ? ofApi : []), ...ofAll].filter((opened) => opened.port !== 0)
}

/** The port is free, or a running Latarnik uses it. */
export function examinePort({ subject, names, healthAt, ...place }: OpenedPort): Promise<Finding> {
  return attempt(subject, async () => {
    try {
      await ensureCanListen(place, names)
      return `${place.host} port ${place.port} is free`
    } catch (error) {
      if (!(error instanceof CannotStart) || !(await isLatarnik(urlOf(healthAt)))) throw error
      return `${place.host} port ${place.port} is served by a running Latarnik`
    }
  })
}
