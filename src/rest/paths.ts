import type { Resource } from './declare.ts'

/** `/groups/{_id}`: the collection's path and the parameter of the item. */
export function itemPath(resource: Resource): string {
  const parameter = Object.keys(resource.bound).findLast((name) => !resource.path.includes(`{${name}}`))
  return parameter === undefined ? resource.path : `${resource.path}/{${parameter}}`
}
