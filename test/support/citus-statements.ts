// Citus' refusals of a statement, judged by PostgreSQL's own tree of it and by the places of tables.
import {
  anded,
  functionOf,
  innerQueries,
  isConstant,
  isFlat,
  isFromSubquery,
  kinds,
  listed,
  refersOutside,
  together,
  withoutCasts,
} from './query-parts.ts'
import { isNode, type Node, nodesBelow, nodesOf, numberOf, type Value } from './query-tree.ts'

export type Place = 'distributed' | 'local'

export interface Catalogue {
  /** By number; partitions like what they are parts of. */
  readonly tables: ReadonlyMap<number, { readonly name: string; readonly place: Place; readonly column: number }>
  readonly equalities: ReadonlySet<number>
  /** i, s or v. */
  readonly volatility: ReadonlyMap<number, string>
}

const commands = { select: 1, update: 2, insert: 3, delete: 4, merge: 5 } as const

interface Scope {
  readonly query: Node
  readonly outer: Scope | null
}

/** Columns and constants that are equal. */
class Equals {
  readonly #parents = new Map<string, string>()

  find(key: string): string {
    const parent = this.#parents.get(key)
    return parent === undefined ? key : this.find(parent)
  }

  join(one: string, other: string): void {
    const [first, second] = [this.find(one), this.find(other)]
    if (first !== second) this.#parents.set(first, second)
  }
}

/** One statement. */
class Statement {
  readonly #catalogue: Catalogue
  readonly #equals = new Equals()
  readonly #numbers = new Map<Node, number>()
  readonly refused = new Set<string>()

  constructor(catalogue: Catalogue, root: Node) {
    this.#catalogue = catalogue
    this.#learn({ query: root, outer: null })
    this.#judge(root, [])
  }

  #keyOf(query: Node, relation: number, column: number): string {
    const number = this.#numbers.get(query) ?? this.#numbers.size
    this.#numbers.set(query, number)
    return `${number}.${relation}.${column}`
  }

  /** Follows joins and groups to the column that is meant. */
  #columnOf(value: Value | undefined, scope: Scope): string | null {
    const bare = withoutCasts(value)
    if (bare?.type !== 'VAR') return isConstant(bare) ? 'constant' : null
    let at = scope
    for (let up = numberOf(bare, 'varlevelsup'); up > 0 && at.outer !== null; up--) at = at.outer
    const [relation, column] = [numberOf(bare, 'varno'), numberOf(bare, 'varattno')]
    const entry = nodesOf(at.query.fields['rtable'])[relation - 1]
    const kind = entry?.fields['rtekind']
    if (kind === kinds.join) return this.#columnOf(nodesOf(entry?.fields['joinaliasvars'])[column - 1], at)
    if (kind === kinds.group) return this.#columnOf(nodesOf(entry?.fields['groupexprs'])[column - 1], at)
    return this.#keyOf(at.query, relation, column)
  }

  #learn(scope: Scope): void {
    const { query } = scope
    for (const clause of anded(query.fields['jointree'])) {
      if (clause.type !== 'OPEXPR' || !this.#catalogue.equalities.has(numberOf(clause, 'opno'))) continue
      const [one, other] = listed(clause.fields['args']).map((side) => this.#columnOf(side, scope))
      if (one && other) this.#equals.join(one, other)
    }
    for (const [place, entry] of nodesOf(query.fields['rtable']).entries()) {
      const below = entry.fields['subquery']
      if (entry.fields['rtekind'] !== kinds.subquery || !isNode(below)) continue
      const inner = { query: below, outer: scope }
      this.#learn(inner)
      for (const target of nodesOf(below.fields['targetList'])) {
        const column = this.#columnOf(target.fields['expr'], inner)
        if (column !== null) this.#equals.join(this.#keyOf(query, place + 1, numberOf(target, 'resno')), column)
      }
    }
    for (const below of innerQueries(query))
      if (!isFromSubquery(query, below)) this.#learn({ query: below, outer: scope })
  }

  /** The tables of a query itself. */
  #own(query: Node, place: Place): readonly { readonly at: number; readonly column: number; readonly key: string }[] {
    return nodesOf(query.fields['rtable']).flatMap((entry, index) => {
      const table = entry.fields['rtekind'] === kinds.relation && this.#catalogue.tables.get(numberOf(entry, 'relid'))
      if (!table || table.place !== place) return []
      return [{ at: index + 1, column: table.column, key: this.#keyOf(query, index + 1, table.column) }]
    })
  }

  /** A materialized part is computed first, and lies on the coordinator. */
  #whole(query: Node, place: Place): readonly string[] {
    const parts = [...nodesBelow(query)].flatMap(({ fields }) => nodesOf(fields['cteList']))
    const before = new Set(
      parts.flatMap(({ fields: { ctematerialized, ctequery } }) =>
        ctematerialized === '1' && isNode(ctequery) && !refersOutside(ctequery) ? [ctequery] : [],
      ),
    )
    const below = [...nodesBelow(query, (one) => !before.has(one))].filter(
      (node) => node.type === 'QUERY' && !before.has(node),
    )
    return below.flatMap((one) => this.#own(one, place).map(({ key }) => this.#equals.find(key)))
  }

  #isOneShard(query: Node): boolean {
    const constant = this.#equals.find('constant')
    return this.#whole(query, 'distributed').every((key) => key === constant)
  }

  /** The distributed tables that a query reads. */
  #read(query: Node): readonly string[] {
    const target = numberOf(query, 'commandType') === commands.insert ? numberOf(query, 'resultRelation') : 0
    return this.#own(query, 'distributed').flatMap(({ at, key }) => (at === target ? [] : [this.#equals.find(key)]))
  }

  /** `around`: the distributed tables of the queries outside. */
  #judge(query: Node, around: readonly string[]): void {
    const own = this.#read(query)
    const outside = [...around, ...own]
    for (const below of innerQueries(query)) this.#judge(below, outside)
    const command = numberOf(query, 'commandType')
    if (command !== commands.select) this.#judgeWrite(query, command)
    if (this.#whole(query, 'distributed').length === 0) return
    const isOneShard = this.#isOneShard(query)
    if (query.fields['hasForUpdate'] === 'true' && (!isOneShard || this.#whole(query, 'local').length > 0))
      this.refused.add('rows of several shards are locked')
    const correlated = innerQueries(query).filter((below) => refersOutside(below))
    if (isOneShard) {
      for (const below of correlated) this.#judgeOnOneShard(query, below, outside)
      return
    }
    if (new Set(own).size > 1) this.refused.add('distributed tables are joined by something else than the service')
    if (nodesOf(query.fields['groupingSets']).length > 0) this.refused.add('grouping sets over several shards')
    if (query.fields['hasRecursive'] === 'true') this.refused.add('recursion over several shards')
    for (const below of correlated) this.#judgeCorrelated(below, outside)
  }

  /** Even the rows of one service may not be read together with what lies on the coordinator. */
  #judgeOnOneShard(query: Node, below: Node, outside: readonly string[]): void {
    if (outside.length > 0 && [...together(below)].some((one) => this.#own(one, 'local').length > 0))
      this.refused.add('a subquery that stays on the coordinator refers to a distributed table around it')
    if (this.#whole(below, 'distributed').length === 0) return
    // Local tables beside a distributed one are read before, and refer to nothing.
    if (this.#readBeside(query).length > 0) return
    const isJoined = isFromSubquery(query, below)
    if (
      isJoined
        ? isNode(below.fields['limitCount']) && !this.#isOneShardAlone(below)
        : this.#own(query, 'local').length > 0
    )
      this.refused.add('a distributed subquery refers to what is not distributed')
  }

  /** The distributed tables that a query reads together with the local ones of its FROM. */
  #readBeside(query: Node): readonly string[] {
    const flat = innerQueries(query).filter((below) => isFromSubquery(query, below) && isFlat(below))
    return [...this.#read(query), ...flat.flatMap((below) => this.#readBeside(below))]
  }

  /** True if the query itself names one service, and does not take it from outside. */
  #isOneShardAlone(query: Node): boolean {
    const named = [...anded(query.fields['jointree'])].flatMap((clause) => {
      if (clause.type !== 'OPEXPR' || !this.#catalogue.equalities.has(numberOf(clause, 'opno'))) return []
      const sides = listed(clause.fields['args']).map(withoutCasts)
      const column = sides.find((side) => side?.type === 'VAR' && numberOf(side, 'varlevelsup') === 0)
      return column && sides.some(isConstant) ? [`${column.fields['varno']}.${column.fields['varattno']}`] : []
    })
    return this.#own(query, 'distributed').every(({ at, column }) => named.includes(`${at}.${column}`))
  }

  #judgeCorrelated(below: Node, outside: readonly string[]): void {
    const inside = this.#whole(below, 'distributed')
    if (outside.length > 0 && this.#whole(below, 'local').length > 0)
      this.refused.add('a subquery that stays on the coordinator refers to a distributed table around it')
    if (inside.length === 0) return
    if (outside.length === 0) this.refused.add('a distributed subquery refers to what is not distributed')
    else if (inside.some((key) => !outside.includes(key)))
      this.refused.add('a subquery refers outside by more than the service')
    else if (isNode(below.fields['limitCount'])) this.refused.add('a subquery that refers outside has a limit')
  }

  #judgeWrite(query: Node, command: number): void {
    const entry = nodesOf(query.fields['rtable'])[numberOf(query, 'resultRelation') - 1]
    const table = entry && this.#catalogue.tables.get(numberOf(entry, 'relid'))
    if (table === undefined || table.place === 'local') return
    if (command === commands.merge) this.refused.add('merge')
    if (command === commands.insert) {
      const isSelect = nodesOf(query.fields['rtable']).some(({ fields }) => fields['rtekind'] === kinds.subquery)
      if (!isSelect && query.fields['hasSubLinks'] === 'true') this.refused.add('subqueries within an insert')
      this.#judgeFunctions(query.fields['onConflict'], 'i', 'on conflict, what is set is not immutable')
      return
    }
    const columns = nodesOf(query.fields['targetList']).map((target) => numberOf(target, 'resno'))
    if (command === commands.update && columns.includes(table.column)) this.refused.add('the service changes')
    const what = [query.fields['targetList'], query.fields['jointree']].flatMap((field) => field ?? [])
    if ([...nodesBelow(what, () => false)].some((node) => node.type === 'VAR' && numberOf(node, 'varattno') < 0))
      this.refused.add('a write finds its rows by their places')
    this.#judgeFunctions(what, 'is', 'a write calls what is volatile')
    for (const call of nodesBelow(what, () => false)) {
      const isStable = this.#catalogue.volatility.get(functionOf(call)) === 's'
      if (isStable && [...nodesBelow(call.fields['args'])].some(({ type }) => type === 'VAR'))
        this.refused.add('a write calls what is only stable with a column')
    }
  }

  #judgeFunctions(value: Value | undefined, allowed: string, sentence: string): void {
    for (const call of nodesBelow(value, () => false)) {
      const volatility = this.#catalogue.volatility.get(functionOf(call))
      if (volatility !== undefined && !allowed.includes(volatility)) this.refused.add(sentence)
    }
  }
}

/** Why Citus would refuse the statement; nothing where it would not. */
export function refusalsOf(catalogue: Catalogue, root: Node): readonly string[] {
  return [...new Statement(catalogue, root).refused].sort()
}
