import { isDeepStrictEqual } from 'node:util'
import type { Life } from './model/life.ts'
import type { Script, ServiceScript } from './script.ts'

/** Where a program and a model part. */
export interface Disagreement {
  readonly service: ServiceScript
  /** The moment of the first thing that only one of them has. */
  readonly at: number
  readonly expected: unknown
  readonly seen: unknown
}

const nothing: Life = { changes: [], notices: [], status: null }

/** The first disagreement of each service, the earliest first. */
export function disagreements(
  script: Script,
  expected: ReadonlyMap<number, Life>,
  seen: ReadonlyMap<number, Life>,
): Disagreement[] {
  return script.services
    .flatMap((service) => {
      const [model, program] = [expected.get(service.id) ?? nothing, seen.get(service.id) ?? nothing]
      return [
        ...firstDifference(service, model.changes, program.changes, ({ start }) => start),
        ...firstDifference(service, model.notices, program.notices, ({ at }) => at),
        ...firstDifference(service, [model.status], [program.status], () => script.to),
      ]
        .toSorted((one, other) => one.at - other.at)
        .slice(0, 1)
    })
    .toSorted((one, other) => one.at - other.at)
}

function firstDifference<Entry>(
  service: ServiceScript,
  expected: readonly Entry[],
  seen: readonly Entry[],
  momentOf: (entry: Entry) => number,
): Disagreement[] {
  for (let index = 0; index < Math.max(expected.length, seen.length); index++) {
    const [one, other] = [expected[index], seen[index]]
    if (isDeepStrictEqual(one, other)) continue
    const moments = [one, other].flatMap((entry) => (entry === undefined ? [] : [momentOf(entry)]))
    return [{ service, at: Math.min(...moments), expected: one, seen: other }]
  }
  return []
}

/** For a person: the service, its story around the disagreement, and what each says. */
export function described(script: Script, { service, at, expected, seen }: Disagreement): string {
  const owner = script.owners.find(({ name }) => name === service.owner)
  const story = {
    fields: service.fields,
    group: script.groups.find(({ id }) => id === service.fields.group_id)?.sensorIds,
    owner,
    troubles: service.troubles.filter(({ from }) => from <= at),
    happenings: service.happenings.filter((happening) => happening.at <= at),
    downtimes: script.downtimes.filter(({ from }) => from <= at),
    losses: script.sensors.map(({ id, losses }) => [id, losses.filter(({ from }) => from <= at)]),
  }
  return [
    `Service ${service.id} of ${service.owner}, made ${moment(service.createdAt)}, differs at ${moment(at)}:`,
    `  by the model:   ${told(expected)}`,
    `  by the program: ${told(seen)}`,
    told(story, 2),
  ].join('\n')
}

function moment(at: number): string {
  return new Date(at).toISOString()
}

const earliest = Date.UTC(2026, 0, 1)

/** Numbers that are moments are shown as such. */
function told(value: unknown, indent?: number): string {
  const readable = (_key: string, inner: unknown) =>
    typeof inner === 'number' && inner > earliest ? moment(inner) : inner
  return value === undefined ? 'nothing' : JSON.stringify(value, readable, indent)
}
