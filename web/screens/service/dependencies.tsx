import { Link } from 'wouter'
import { type Relative, useDependents, useRelatives } from '../../parts/depend/queries.ts'
import { dependWords } from '../../parts/depend/words.ts'
import { State, shownState } from '../../parts/state.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownService } from './service-query.ts'
import '../../parts/depend/depend.css'

/** Lists longer than this are folded at first. */
const shownOpen = 10

/** The parents of a service and the services that depend on it. Nothing for one that stands alone. */
export function Dependencies({ service: { id, parent_ids: parentIds } }: { readonly service: ShownService }) {
  const words = useWords(dependWords)
  const parents = useRelatives(parentIds)
  const { data, error, refetch } = useDependents(id)
  const services = data?.services ?? []
  if (parentIds.length === 0 && services.length === 0)
    return error === null ? null : <Trouble error={error} again={() => void refetch()} />
  const hidden = parentIds.filter((parent) => parents.data?.every((row) => row.id !== parent) === true)
  const count = data?.isCut === true ? words.atLeast(services.length) : String(services.length)
  return (
    <section className="card" aria-labelledby="dependencies">
      <header>
        <h2 id="dependencies">{words.title}</h2>
      </header>
      <div className="inside stack">
        {parentIds.length === 0 ? null : (
          <div>
            <h3 className="label">{words.parents}</h3>
            <ul className="relatives">
              {parents.data?.map((row) => (
                <li key={row.id}>
                  <Row row={row} />
                </li>
              ))}
              {hidden.map((parent) => (
                <li key={parent} className="dim">
                  {words.other(parent)}
                </li>
              ))}
            </ul>
          </div>
        )}
        {services.length === 0 ? null : (
          <details open={services.length <= shownOpen}>
            <summary>{words.impact(count, services.length)}</summary>
            <Tree services={services} of={id} above={[id]} />
            {data?.isCut === true ? <p className="hint">{words.and}</p> : null}
          </details>
        )}
      </div>
    </section>
  )
}

interface TreeProps {
  readonly services: readonly Relative[]
  readonly of: number
  /** The way down from the top. */
  readonly above: readonly number[]
}

/** A service with several parents stands below each of them, with what depends on it below the first alone. */
function Tree({ services, of, above }: TreeProps) {
  const children = services.filter((row) => row.parent_ids.includes(of) && !above.includes(row.id))
  if (children.length === 0) return null
  return (
    <ul className="relatives">
      {children.map((row) => (
        <li key={row.id}>
          <Row row={row} />
          {firstParent(row, services, above) === of ? (
            <Tree services={services} of={row.id} above={[...above, row.id]} />
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** The parent below which a service is unfolded. */
function firstParent({ parent_ids }: Relative, services: readonly Relative[], above: readonly number[]) {
  return parent_ids.find((id) => id === above[0] || services.some((row) => row.id === id))
}

function Row({ row: { id, name, status } }: { readonly row: Relative }) {
  return (
    <span className="row">
      {status === null ? null : <State state={shownState(status)} />}
      <Link href={`/services/${id}`}>{name}</Link>
    </span>
  )
}
