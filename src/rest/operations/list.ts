import { all, type Condition, type Row } from '../../domain/queries/condition.ts'
import type { Answer, Call } from '../call.ts'
import { type ChildList, type Counting, type Resource, rowsOf } from '../declare.ts'
import { located, readParent } from '../locate.ts'
import { needsOf, presentPage } from '../present.ts'
import { parseFilters, parseList } from '../query.ts'
import { countBy, readPage } from '../select.ts'

async function listWhere(resource: Resource, call: Call, within: Condition, fromBody: boolean): Promise<Answer> {
  const request = parseList(resource, call, fromBody)
  const { page, total } = await readPage(resource, call, {
    ...request,
    ...needsOf(resource, call, request),
    where: all(within, request.where),
  })
  const json = await presentPage(resource, call, request, page)
  return { status: 200, json, headers: { 'X-Total-Count': String(total) } }
}

/** `GET /{resource}` */
export async function list(resource: Resource, call: Call): Promise<Answer> {
  return listWhere(resource, call, await located(resource, call), false)
}

/** `POST /{resource}/search` */
export async function search(resource: Resource, call: Call): Promise<Answer> {
  return listWhere(resource, call, await located(resource, call), true)
}

/** `GET /{resource}/{_id}/{children}`: what belongs to the object and may be read. */
export async function listChildren(parent: Resource, child: ChildList, call: Call): Promise<Answer> {
  const row = await readParent(parent, call)
  return listWhere(call.registry.get(child.list), call, child.where(row, call), false)
}

/** `GET /{resource}/{counting}`: how many rows of the list there are of each kind. */
export async function countRows(resource: Resource, { by, shown }: Counting, call: Call): Promise<Answer> {
  const where = all(await located(resource, call), parseFilters(resource, call))
  return { status: 200, body: shown(await countBy(resource, call, { where, by })) }
}

/** A list over rows that a hand-written operation computed; all list parameters apply. */
export async function listRows(resource: Resource, call: Call, rows: readonly Row[]): Promise<Answer> {
  return listWhere({ ...resource, source: rowsOf(() => rows) }, call, all(), false)
}
