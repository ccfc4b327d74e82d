import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from './call.ts'
import { basePath } from './documentation.ts'
import { languageOf } from './language.ts'
import { nameRoute } from './requests.ts'
import { sendProblems } from './respond.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

export const fastifyPath = (path: string) => basePath + path.replaceAll(/\{(\w+)\}/g, ':$1')

/** A path of the API: its name in the routes, and its methods as `Allow` lists them. */
interface KnownPath {
  readonly route: string
  readonly allow: string
}

/** Undefined where there is no such path. */
export type AllowedAt = (path: string) => KnownPath | undefined

/** 405 with `Allow` (answers §2). */
export function sendNotAllowed(request: FastifyRequest, reply: FastifyReply, allowed: string): FastifyReply {
  const problem = { error: 'method_not_allowed', facts: { method: request.method, allowed } }
  return sendProblems(reply, [problem], languageOf(request), { Allow: allowed })
}

/** Every known path answers OPTIONS, and its other methods with 405. */
export function answerOtherMethod(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, allow }: KnownPath,
): FastifyReply {
  nameRoute(request, route)
  if (request.method === 'OPTIONS') return reply.code(204).header('Allow', allow).send()
  return sendNotAllowed(request, reply, allow)
}

/** The methods of a path, as `Allow` lists them. */
function allowOf(known: ReadonlySet<string>): string {
  const inOrder = methods.filter((method) => known.has(method))
  return [...inOrder.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}

type MethodsByPath = ReadonlyMap<string, ReadonlySet<Operation['method']>>

export function methodsByPath(operations: readonly Operation[]): MethodsByPath {
  const all = new Map<string, Set<Operation['method']>>()
  for (const { path, method } of operations) all.set(path, (all.get(path) ?? new Set()).add(method))
  // Words before parameters, as the router prefers them.
  return new Map([...all].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Looked through for what no route answers: a route for each other method would make every start longer. */
export function allowedMethods(paths: MethodsByPath): AllowedAt {
  const known = [...paths].map(([path, itsMethods]) => ({
    pattern: new RegExp(
      `^${(basePath + path).replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
    ),
    route: fastifyPath(path),
    allow: allowOf(itsMethods),
  }))
  return (asked) => known.find(({ pattern }) => pattern.test(asked))
}

const isParameter = (segment: string | undefined) => segment?.startsWith('{')

/** Whether an address can be meant by both. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length &&
    one.every((segment, at) => segment === other[at] || isParameter(segment) || isParameter(other[at]))
  )
}

/** `DELETE /accounts/my_account` is not meant for `DELETE /accounts/{id}`: the path has no such method. */
export function keepPathsApart(server: FastifyInstance, paths: MethodsByPath): void {
  const all = [...paths].map(([path, itsMethods]) => ({ path, itsMethods, segments: path.split('/') }))
  for (const [index, { path, itsMethods, segments }] of all.entries()) {
    const lessPreferred = all.slice(index + 1).filter((other) => overlap(segments, other.segments))
    const ofOthers = new Set(lessPreferred.flatMap((other) => [...other.itsMethods]))
    const missing = [...ofOthers].filter((method) => !itsMethods.has(method))
    if (missing.length === 0) continue
    const known = { route: fastifyPath(path), allow: allowOf(itsMethods) }
    server.route({
      method: missing.flatMap((method) => (method === 'GET' ? (['GET', 'HEAD'] as const) : [method])),
      url: known.route,
      exposeHeadRoute: false,
      handler: (request, reply) => answerOtherMethod(request, reply, known),
    })
  }
}
