import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import {
  all,
  always,
  any,
  before,
  type Comparison,
  type Condition,
  contains,
  demands,
  fold,
  from,
  holds,
  is,
  isImpossible,
  not,
  oneOf,
  type Row,
  type Scalar,
  valueAt,
} from './condition.ts'

const impossible = casesMet('conditions that are impossible')
const demanding = casesMet('conditions that demand a comparison and hold')

/** Few letters, so that values collide; the Polish ones fold outside ASCII. */
const word = fc.string({ unit: fc.constantFrom('a', 'A', 'ż', 'Ż', 'ó', 'Ł'), maxLength: 3 })
const number = fc.integer({ min: -2, max: 2 })
const scalar: fc.Arbitrary<Scalar> = fc.oneof(word, number, fc.boolean(), fc.constant(null))
const path = fc.constantFrom('a', 'b', 'c', 'c.a', 'missing', 'missing.a', 'constructor', '__proto__', 'c.toString')

const row: fc.Arbitrary<Row> = fc.record(
  { a: scalar, b: fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), c: fc.record({ a: scalar }) },
  { requiredKeys: [] },
)

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.boolean().map(always),
  fc.tuple(path, scalar).map(([field, value]) => is(field, value)),
  fc.tuple(path, fc.array(fc.oneof(word, number), { maxLength: 3 })).map(([field, values]) => oneOf(field, values)),
  fc.tuple(path, word).map(([field, text]) => contains(field, text)),
  fc.tuple(path, number).map(([field, value]) => from(field, value)),
  fc.tuple(path, number).map(([field, value]) => before(field, value)),
)

const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }).map((of): Condition => ({ kind: 'all', of })),
    fc.array(tie('tree'), { maxLength: 3 }).map((of): Condition => ({ kind: 'any', of })),
    tie('tree').map((of): Condition => ({ kind: 'not', of })),
  ),
}))

const runs = { numRuns: 2000 }

test.each([
  [is('a', 1), true],
  [is('b', 1), false],
  [all(is('b', 1), is('a', 1)), true],
  [any(is('a', 2), is('a', 1)), true],
  [any(is('a', 2), is('b', 1)), false],
  [not(is('a', 1)), false],
  [always(false), true],
  [always(true), false],
])('%j demands a', (condition, isDemanded) => {
  expect(demands(condition, ({ field }) => field === 'a')).toBe(isDemanded)
})

function comparisons(condition: Condition): readonly Comparison[] {
  switch (condition.kind) {
    case 'always':
      return []
    case 'not':
      return comparisons(condition.of)
    case 'all':
    case 'any':
      return condition.of.flatMap(comparisons)
    default:
      return [condition]
  }
}

test('what demands a comparison never holds without one', () => {
  const isMeant = ({ field }: Comparison) => field === 'a' || field === 'c'
  const anywhere = fc.record({ condition: tree, facts: row })
  // Few trees demand anything and hold by chance.
  const demanded = fc.record({ other: tree, facts: row, a: number }).map(({ other, facts, a }) => {
    return { condition: all(is('a', a), other), facts: { ...facts, a } }
  })
  fc.assert(
    fc.property(fc.oneof(anywhere, demanded), ({ condition, facts }) => {
      if (!demanding(demands(condition, isMeant) && holds(condition, facts))) return
      expect(comparisons(condition).some((one) => isMeant(one) && holds(one, facts))).toBe(true)
    }),
    runs,
  )
})

test('a conjunction holds when every part holds, a disjunction when one does', () => {
  const law = fc.property(fc.array(tree, { maxLength: 4 }), row, (parts, given) => {
    expect(holds(all(...parts), given)).toBe(parts.every((part) => holds(part, given)))
    expect(holds(any(...parts), given)).toBe(parts.some((part) => holds(part, given)))
  })
  fc.assert(law, runs)
})

test('a negation holds exactly when its condition does not', () => {
  const law = fc.property(tree, row, (condition, given) => {
    expect(holds(not(condition), given)).toBe(!holds(condition, given))
    expect(holds(not(not(condition)), given)).toBe(holds(condition, given))
  })
  fc.assert(law, runs)
})

test('negation turns a conjunction into the disjunction of the negations', () => {
  const law = fc.property(fc.array(tree, { maxLength: 3 }), row, (parts, given) => {
    expect(holds(not(all(...parts)), given)).toBe(holds(any(...parts.map(not)), given))
    expect(holds(not(any(...parts)), given)).toBe(holds(all(...parts.map(not)), given))
  })
  fc.assert(law, runs)
})

test('parts that decide nothing are left out, a part that decides is all that is left', () => {
  const part = is('a', 1)
  expect(all(always(true), part)).toEqual(part)
  expect(any(part, always(false))).toEqual(part)
  expect(all(part, always(false), part)).toEqual(always(false))
  expect(any(part, always(true), part)).toEqual(always(true))
  expect(all()).toEqual(always(true))
  expect(any()).toEqual(always(false))
})

test('equality of texts has no case, membership has', () => {
  const given = { name: 'ŻÓŁĆ' }
  expect(holds(is('name', 'żółć'), given)).toBe(true)
  expect(holds(contains('name', 'Ół'), given)).toBe(true)
  expect(holds(oneOf('name', ['żółć']), given)).toBe(false)
  expect(holds(oneOf('name', ['ŻÓŁĆ']), given)).toBe(true)
})

test('equality and containment do not depend on the case of either side', () => {
  const law = fc.property(word, word, (kept, asked) => {
    for (const spelling of [asked, asked.toUpperCase(), fold(asked)]) {
      expect(holds(is('a', spelling), { a: kept.toUpperCase() })).toBe(holds(is('a', asked), { a: kept }))
      expect(holds(contains('a', spelling), { a: kept.toUpperCase() })).toBe(holds(contains('a', asked), { a: kept }))
    }
  })
  fc.assert(law, runs)
})

test('a text contains itself and the empty text, and what it equals', () => {
  const law = fc.property(word, word, (kept, asked) => {
    expect(holds(contains('a', kept), { a: kept })).toBe(true)
    expect(holds(contains('a', ''), { a: kept })).toBe(true)
    if (holds(is('a', asked), { a: kept })) expect(holds(contains('a', asked), { a: kept })).toBe(true)
  })
  fc.assert(law, runs)
})

test('a number lies before a bound or from it on, never both; nothing else lies anywhere', () => {
  const law = fc.property(scalar, number, (value, bound) => {
    const sides = [from('a', bound), before('a', bound)].filter((condition) => holds(condition, { a: value }))
    expect(sides).toHaveLength(typeof value === 'number' ? 1 : 0)
  })
  fc.assert(law, runs)
})

test('a missing field is null, and null equals only null', () => {
  const law = fc.property(path, scalar, (field, value) => {
    expect(holds(is(field, value), {})).toBe(value === null)
  })
  fc.assert(law, runs)
  expect(holds(is('a', null), { a: '' })).toBe(false)
  expect(holds(is('a', null), { a: 0 })).toBe(false)
  expect(holds(is('a', null), { a: false })).toBe(false)
})

test('a list equals a value when one of its elements does, and is never null', () => {
  expect(holds(is('a', 'SMS'), { a: ['email', 'sms'] })).toBe(true)
  expect(holds(is('a', 'jabber'), { a: ['email', 'sms'] })).toBe(false)
  expect(holds(is('a', null), { a: [] })).toBe(false)
  expect(holds(is('a', null), { a: [null] })).toBe(false)
})

test('a path reaches into nested objects, a field with a dot in its name goes first', () => {
  expect(valueAt({ group: { owner: { id: 7 } } }, 'group.owner.id')).toBe(7)
  expect(valueAt({ 'permissions.update': true, permissions: { update: false } }, 'permissions.update')).toBe(true)
  expect(valueAt({ group: null }, 'group.id')).toBeNull()
  expect(valueAt({ group: 5 }, 'group.id')).toBeNull()
})

test('what every object inherits is no field', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'group.constructor']) {
    expect(valueAt({ group: { id: 1 } }, name)).toBeNull()
  }
})

test('reading never throws, whatever the row holds', () => {
  const law = fc.property(
    tree,
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.anything()),
    (part, given) => {
      expect(typeof holds(part, given)).toBe('boolean')
    },
  )
  fc.assert(law, runs)
})

/** Lists have several numbers at once. */
const nameOf = (field: string) => (field === 'b' ? null : field)

test('no row meets what is impossible', () => {
  const law = fc.property(tree, row, (condition, given) => {
    if (impossible(isImpossible(condition, nameOf))) expect(holds(condition, given)).toBe(false)
  })
  fc.assert(law, runs)
})

test.each([
  [all(is('a', 1), is('a', 2)), true],
  [all(is('a', 1), is('a', 1)), false],
  [all(is('a', 1), is('c', 2)), false],
  [all(is('a', 1), is('same', 2)), true],
  [all(is('b', 1), is('b', 2)), false],
  [all(oneOf('a', [1]), all(contains('c', 'x'), is('a', 2))), true],
  [all(oneOf('a', [1, 2]), is('a', 3)), false],
  [any(all(is('a', 1), is('a', 2)), is('a', 3)), false],
  [always(false), true],
  [not(always(true)), true],
])('%j is impossible: %s', (condition, expected) => {
  expect(isImpossible(condition, (field) => (field === 'same' ? 'a' : nameOf(field)))).toBe(expected)
})
