import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredResources, interfaceDescription } from '../../src/program/interface-description.ts'
import type { Resource } from '../../src/rest/declare.ts'
import { shownFields } from '../../src/rest/query.ts'
import type { Reply } from '../support/api.ts'
import { casesMet } from '../support/cases-met.ts'
import { type Contract, contractOf, fieldsOf, type Shown } from '../support/contract.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { ownerFor } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

const filters = casesMet('values that filters find')
const containments = casesMet('texts that containment filters find')
const searches = casesMet('fields that the text search finds')
const embedded = casesMet('embedded objects')
const innerFilters = casesMet('fields of embedded objects that filter and sort')

/** Every resource × every standard operation, from the declarations alone: a new resource is held to all of it. */
const registry = declaredResources()
const description = descriptionOf(interfaceDescription())
let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

const resources = registry.all.map((resource) => [resource.name, resource] as const)
const having = (name: string) => resources.filter(([, { operations }]) => operations.some((known) => known === name))

function contract(resource: Resource): Contract {
  return contractOf(world, registry, resource, description)
}

function tagless({ status, body, headers }: Reply) {
  return { status, body, total: headers['x-total-count'], tag: headers['etag'] }
}

/** Headers that differ from request to request. */
const ofItsOwn = { date: '', 'x-request-id': '' }

describe.each(having('list'))('the list of %s', (_name, resource) => {
  test('shows objects with all fields in the order of the declaration, and counts them', async () => {
    const { list } = contract(resource)
    const reply = await list('limit=1000')
    const rows = reply.body as readonly Shown[]
    expect(rows.length, `the furnished world needs one of ${resource.name}`).toBeGreaterThan(0)
    for (const row of rows) expect(Object.keys(row)).toEqual(shownFields(resource))
    expect(reply.headers['x-total-count']).toBe(String(rows.length))
    expect(reply.headers['content-type']).toBe('application/json')
  })

  test('shows ten from the beginning unless told otherwise; pages laid together are the whole', async () => {
    const { list } = contract(resource)
    const whole = await list('limit=1000')
    const rows = whole.body as readonly Shown[]
    expect((await list('')).body).toEqual(rows.slice(0, 10))
    expect((await list('limit=2&offset=1')).body).toEqual(rows.slice(1, 3))
    for (const page of ['limit=0', 'limit=1', 'offset=100000', 'limit=1&offset=1']) {
      expect((await list(page)).headers['x-total-count']).toBe(String(rows.length))
    }
  })

  test('HEAD is GET without the body', async () => {
    const { list, listPath } = contract(resource)
    const get = await list('limit=3')
    const head = await world.call(ownerFor(resource), 'HEAD', `${listPath}?limit=3`)
    expect([head.status, head.text]).toEqual([200, ''])
    expect({ ...head.headers, ...ofItsOwn }).toEqual({ ...get.headers, ...ofItsOwn })
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)))
  })

  test('a client that has the list already gets 304', async () => {
    const { list, listPath } = contract(resource)
    const tag = String((await list('limit=3')).headers['etag'])
    const again = await world.call(ownerFor(resource), 'GET', `${listPath}?limit=3`, undefined, {
      'if-none-match': `"x", W/${tag}`,
    })
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', tag])
  })

  test('any one field can be asked for alone', async () => {
    const { list } = contract(resource)
    for (const name of shownFields(resource)) {
      const [row] = (await list(`fields=${name}&limit=1`)).body as readonly Shown[]
      expect(Object.keys(row ?? {})).toEqual([name])
    }
  })

  test('every sortable field sorts, both ways', async () => {
    const { list } = contract(resource)
    const ids = ((await list('limit=1000')).body as readonly Shown[]).map((row) => JSON.stringify(row))
    for (const name of fieldsOf(resource, (field) => field.sort)) {
      const rising = (await list(`sort=${name}&limit=1000`)).body as readonly Shown[]
      const falling = (await list(`sort=-${name}&limit=1000`)).body as readonly Shown[]
      expect(rising.map((row) => JSON.stringify(row)).toSorted()).toEqual(ids.toSorted())
      expect(rising.map((row) => row[name])).toEqual(falling.map((row) => row[name]).toReversed())
    }
  })

  test('every filter finds its object, and nothing else', async () => {
    const { list } = contract(resource)
    const rows = (await list('limit=1000')).body as readonly Shown[]
    for (const name of fieldsOf(resource, (field) => field.filter)) {
      for (const row of rows.slice(0, 3)) {
        const value = row[name]
        const wanted = Array.isArray(value) ? value[0] : value
        if (!filters(wanted)) continue
        const written = encodeURIComponent(typeof wanted === 'string' ? wanted.toUpperCase() : String(wanted))
        const found = (await list(`${name}=${written}&limit=1000`)).body as readonly Shown[]
        expect([name, found]).toEqual([name, expect.arrayContaining([row])])
        for (const one of found) expect([one[name]].flat()).toContain(wanted)
      }
    }
  })

  test('every containment filter finds a part of the text in any case', async () => {
    const { list } = contract(resource)
    const rows = (await list('limit=1000')).body as readonly Shown[]
    for (const name of fieldsOf(resource, (field) => field.contains)) {
      const row = rows.find((one) => typeof one[name] === 'string' && one[name] !== '')
      if (!containments(row)) continue
      const part = String(row[name]).slice(1, -1)
      const query = `${encodeURIComponent(`${name}~`)}=${encodeURIComponent(part.toUpperCase())}`
      const found = (await list(`${query}&limit=1000`)).body as readonly Shown[]
      expect(found).toContainEqual(row)
      for (const one of found) expect(String(one[name]).toLowerCase()).toContain(part.toLowerCase())
    }
  })

  test('the text search finds what its fields contain', async () => {
    const { list } = contract(resource)
    const rows = (await list('limit=1000')).body as readonly Shown[]
    for (const name of resource.search) {
      const row = rows.find((one) => (one[name] ?? '') !== '')
      if (!searches(row)) continue
      const found = await list(`query=${encodeURIComponent(String(row[name]).toUpperCase())}&limit=1000`)
      expect(found.body).toContainEqual(row)
    }
    expect((await list('query=%F0%9F%A6%84%20nowhere')).body).toEqual([])
  })

  test('every embeddable object can be embedded, whole or in part', async () => {
    const { list } = contract(resource)
    for (const name of resource.embed) {
      const [row] = (await list(`embed=${name}&limit=1`)).body as readonly Shown[]
      const shown = row?.[name] as Shown | Shown[] | null
      expect(Object.keys(row ?? {})).toEqual([...shownFields(resource), name])
      const one = Array.isArray(shown) ? shown[0] : shown
      if (!embedded(one)) continue
      const [first = '', second = ''] = Object.keys(one)
      const [partly] = (
        await list(`embed=${name}.${second},${name}.${first}&limit=1&fields=${shownFields(resource)[0]}`)
      ).body as readonly Shown[]
      const part = [partly?.[name] as Shown | Shown[]].flat()[0] ?? {}
      expect(part).toEqual({ [first]: one[first], [second]: one[second] })
    }
  })

  test('fields of embeddable objects filter and sort, embedded or not', async () => {
    const { list } = contract(resource)
    for (const name of resource.embed) {
      const relation = resource.relations[name]
      const inside =
        relation === undefined ? [] : fieldsOf(registry.get(relation.to), (field) => field.sort && field.filter)
      const flags = name === 'permissions' ? ['read'] : []
      for (const field of [...inside, ...flags].slice(0, 4)) {
        const whole = (await list(`embed=${name}&limit=1000`)).body as readonly Shown[]
        const value = (row: Shown) => (row[name] as Shown | null)?.[field] ?? null
        const wanted = whole.map(value).find((one) => one !== null)
        if (!innerFilters(wanted)) continue
        const found = await list(`${name}.${field}=${encodeURIComponent(String(wanted))}&embed=${name}&limit=1000`)
        expect(found.body).toEqual(whole.filter((row) => value(row) === wanted))
        const sorted = await list(`sort=-${name}.${field}&embed=${name}&limit=1000`)
        expect(sorted.headers['x-total-count']).toBe(String(whole.length))
      }
    }
  })

  test('a parameter that it does not have is refused', async () => {
    const { listPath } = contract(resource)
    const query = 'no_such_field=1&fields=nothing&embed=nothing&sort=nothing&limit=x&offset=x'
    const reply = await world.call(ownerFor(resource), 'GET', `${listPath}?${query}`)
    expect(pointersOf(reply)).toEqual([
      'incorrect_type query.limit',
      'incorrect_type query.offset',
      'incorrect_value query.embed[0]',
      'incorrect_value query.fields[0]',
      'incorrect_value query.no_such_field',
      'incorrect_value query.sort[0]',
    ])
  })
})

describe.each(having('search'))('the search of %s', (_name, resource) => {
  test('is the list with its parameters in a body', async () => {
    const { list, search } = contract(resource)
    const fields = shownFields(resource).slice(0, 2)
    const body = { fields, embed: [...resource.embed], sort: `-${fields[0]}`, limit: 3, offset: 1 }
    const query = `fields=${fields}&embed=${resource.embed.join(',')}&sort=-${fields[0]}&limit=3&offset=1`
    const [found, listed] = [await search(body), await list(query)]
    expect({ ...tagless(found), tag: '' }).toEqual({ ...tagless(listed), tag: '' })
    expect((await search(undefined)).body).toEqual((await list('')).body)
    expect((await search({})).body).toEqual((await list('')).body)
  })

  test('takes filters with alternatives', async () => {
    const { list, search } = contract(resource)
    // Of a key of two, the first may stand in two rows.
    const rows = (await list('limit=2')).body as readonly Shown[]
    const [key = ''] = resource.key
    const found = await search({ filters: { [key]: rows.map((row) => row[key]) }, limit: 1000 })
    expect(found.body).toEqual(rows)
    expect((await search({ filters: { [key]: [] } })).body).toEqual([])
  })
})

describe.each(having('read'))('one of %s', (_name, resource) => {
  test('reads as the list shows it, with the methods that the caller may use', async () => {
    const { objects, read } = contract(resource)
    for (const { path, row } of await objects()) {
      const reply = await read(path)
      if (row !== null) expect(reply.body).toEqual(row)
      expect(reply.headers['allow']).toMatch(/^GET, HEAD, OPTIONS(, PUT)?(, DELETE)?$/)
    }
  })

  test('HEAD, tags, single fields and embedded objects work as for lists', async () => {
    const { object, read } = contract(resource)
    const { path } = await object()
    const get = await read(path)
    const head = await world.call(ownerFor(resource), 'HEAD', path)
    expect([head.status, head.text]).toEqual([200, ''])
    expect({ ...head.headers, ...ofItsOwn }).toEqual({ ...get.headers, ...ofItsOwn })
    const tagged = await world.call(ownerFor(resource), 'GET', path, undefined, {
      'if-none-match': String(get.headers['etag']),
    })
    expect([tagged.status, tagged.text]).toEqual([304, ''])
    const [name = ''] = shownFields(resource)
    expect((await read(`${path}?fields=${name}`)).body).toEqual({ [name]: (get.body as Shown)[name] })
    for (const embed of resource.embed) {
      expect(Object.keys((await read(`${path}?embed=${embed}`)).body as Shown)).toContain(embed)
    }
    const refused = await world.call(ownerFor(resource), 'GET', `${path}?fields=nothing&embed=nothing&colour=1`)
    expect(pointersOf(refused)).toEqual([
      'incorrect_value query.colour',
      'incorrect_value query.embed[0]',
      'incorrect_value query.fields[0]',
    ])
  })

  test('one that does not exist is not found, whatever is done to it', async () => {
    const { missing } = contract(resource)
    for (const path of missing()) {
      const reply = await world.call(ownerFor(resource), 'GET', path)
      expect([path, reply.status, pointersOf(reply)]).toEqual([path, 404, ['not_found']])
    }
  })

  test('an alias stands for an identifier', async () => {
    const { aliasPath, pathOf, read } = contract(resource)
    for (const alias of Object.keys(resource.alias)) {
      const reply = await world.call(ownerFor(resource), 'GET', aliasPath(alias), undefined, {
        authorization: `Bearer ${world.tokens.alice}`,
      })
      expect([alias, reply.status]).toEqual([alias, 200])
      const { id } = reply.body as { id?: number }
      if (id !== undefined) expect((await read(pathOf(id))).body).toEqual(reply.body)
    }
  })

  test('its related objects and lists are read below it', async () => {
    const { object, below } = contract(resource)
    const { path } = await object()
    for (const name of resource.subresources) {
      const reply = await below(path, name)
      const relation = resource.relations[name]
      expect(Object.keys(reply.body as Shown)).toEqual(shownFields(registry.get(relation?.to ?? '')))
    }
    for (const [list, child] of Object.entries(resource.children)) {
      const name = world.fill(child.path ?? list)
      const reply = await below(path, list, 'limit=1000')
      expect(reply.headers['x-total-count']).toBe(String((reply.body as readonly Shown[]).length))
      const wrong = await world.call(ownerFor(resource), 'GET', `${path}/${name}?no_such_field=1`)
      expect(pointersOf(wrong)).toEqual(['incorrect_value query.no_such_field'])
      const head = await world.call(ownerFor(resource), 'HEAD', `${path}/${name}?limit=1000`)
      expect(head.headers['etag']).toBe(reply.headers['etag'])
    }
  })
})

describe.each(having('permissions'))('the permissions of %s', (_name, resource) => {
  test('are the flags of the declaration, the same when embedded, and what Allow says', async () => {
    const { object, read, flagsOf } = contract(resource)
    const { path } = await object()
    const flags = await flagsOf(path)
    expect(flags['read']).toBe(true)
    for (const value of Object.values(flags)) expect(typeof value).toBe('boolean')
    if (resource.embed.includes('permissions')) {
      expect((await read(`${path}?embed=permissions`)).body).toMatchObject({ permissions: flags })
    }
    const allow = String((await read(path)).headers['allow']).split(', ')
    const canChange = resource.operations.includes('update') || resource.operations.includes('put')
    expect(allow.includes('PUT')).toBe(canChange && flags['update'] === true)
    expect(allow.includes('DELETE')).toBe(resource.operations.includes('remove') && flags['delete'] === true)
    expect((await world.call(ownerFor(resource), 'GET', `${path}/permissions?fields=read`)).body).toEqual({
      read: true,
    })
    expect(pointersOf(await world.call(ownerFor(resource), 'GET', `${path}/permissions?fields=fly`))).toEqual([
      'incorrect_value query.fields[0]',
    ])
  })
})
