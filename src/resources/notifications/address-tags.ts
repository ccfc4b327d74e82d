import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { lockTagsNamed, setAddressTags } from '../../database/services/tags.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { fold } from '../../domain/queries/condition.ts'
import type { Writing } from '../../rest/declare.ts'
import { type ColumnContext, list, text } from '../../rest/fields.ts'
import type { Address, AddressFacts } from './address-write.ts'

/** The tags that narrow an address of a group. */

/** The names in the order in which they were set; null for all services. */
function namesOf({ alias }: ColumnContext): Sql {
  return sql`case when ${alias}.tag_ids is not null then array(
    select named.name from unnest(${alias}.tag_ids) with ordinality chosen (id, place) join tags named on named.id = chosen.id
    order by chosen.place) end`
}

export const addressTags = list(text({ minimumLength: 1, maximumLength: 50 }), {
  about:
    "It hears of the services of its group that have any of these tags of the group's owner. Null, or an empty list: of all.",
  nullable: true,
  filter: true,
  maximumLength: 50,
  elsewhere: true,
  example: null,
  column: namesOf,
})

interface TaggedFacts extends AddressFacts {
  /** The tags by folded name; null: they do not change. */
  readonly known: ReadonlyMap<string, number> | null
}

function wantedIn(given: Partial<Address>): readonly string[] | null {
  const { tags } = given
  return Array.isArray(tags) && tags.length > 0 ? tags.map(String) : null
}

/** A name that is no tag of the owner is refused: a typing error must not keep an address silent. */
function unknownTags(given: Partial<Address>, { known }: TaggedFacts): readonly Problem[] {
  if (known === null) return []
  return (wantedIn(given) ?? []).flatMap((name, index) =>
    known.has(fold(name))
      ? []
      : [{ error: 'incorrect_value', field: `data.tags[${index}]`, facts: { detail: 'object_of_owner' } }],
  )
}

async function store(transaction: Executor, row: Address, { known }: TaggedFacts): Promise<void> {
  if (known === null) return
  const ids = wantedIn(row)?.flatMap((name) => known.get(fold(name)) ?? []) ?? null
  await setAddressTags(transaction, row.id, ids === null ? null : [...new Set(ids)])
}

/** The writing of an address with its tags. */
export function withTags(writing: Writing<Address, AddressFacts>): Writing<Address, TaggedFacts> {
  return {
    ...writing,
    async facts(transaction, call, given, before) {
      const facts = await writing.facts?.(transaction, call, given, before)
      if (facts === undefined) throw new Error('An address has facts.')
      const { ownerId } = facts.parent
      if (given['tags'] === undefined || ownerId === null) return { ...facts, known: null }
      return { ...facts, known: await lockTagsNamed(transaction, ownerId, wantedIn(given) ?? []) }
    },
    complete(given, before, facts, call) {
      const completed = writing.complete?.(given, before, facts, call) ?? { row: given, problems: [] }
      return { ...completed, problems: [...completed.problems, ...unknownTags(given, facts)] }
    },
    async created(transaction, call, row, facts) {
      await store(transaction, row, facts)
      await writing.created?.(transaction, call, row, facts)
    },
    async changed(transaction, call, row, before, facts) {
      await store(transaction, row, facts)
      await writing.changed?.(transaction, call, row, before, facts)
    },
  }
}
