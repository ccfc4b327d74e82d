import type { Resource } from './declare.ts'

/** `/groups/{_id}`: the collection's path and the parameters of the item that are not in it. */
export function itemPath(resource: Resource): string {
  const parameters = Object.keys(resource.bound).filter((name) => !resource.path.includes(`{${name}}`))
  return [resource.path, ...parameters.map((name) => `{${name}}`)].join('/')
}
