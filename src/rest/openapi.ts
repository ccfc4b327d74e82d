import type { KeyScope } from '../domain/access/key-scopes.ts'
import type { Language } from '../wording/language.ts'
import { pageText } from '../wording/texts.ts'
import type { Operation } from './call.ts'
import type { Registry, Resource } from './declare.ts'
import { exampleBaseUrl, guideIn } from './guide.ts'
import { withNamedSchemas } from './named-schemas.ts'
import { failureResponses, headerComponents, problemSchemas } from './openapi-answers.ts'
import { parameterComponents, pathsOf } from './openapi-operations.ts'
import { flagsOf } from './parameter-descriptions.ts'
import { componentOf } from './routes.ts'
import { permissionsComponent, resourceSchema, type Schema } from './schemas.ts'

/** The version of the interface, not of the program (answers §1). */
const interfaceVersion = '3.51.0'

/** With `fields`, only the named flags are there. */
function permissionsSchema(resource: Resource): Schema {
  const flags = flagsOf(resource)
  return {
    type: 'object',
    description: `The permissions of the caller for a ${resource.singular}.`,
    properties: Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' }])),
    required: flags,
    example: Object.fromEntries(flags.map((flag) => [flag, true])),
  }
}

function schemasOf(registry: Registry): Readonly<Record<string, Schema>> {
  const schemas: Record<string, Schema> = { ...problemSchemas }
  for (const resource of registry.all) {
    const component = componentOf(resource)
    schemas[component] = resourceSchema(resource, (name) => componentOf(registry.get(name)))
    const hasPermissions = resource.embed.includes('permissions') || resource.operations.includes('permissions')
    if (hasPermissions) schemas[permissionsComponent(component)] = permissionsSchema(resource)
  }
  return schemas
}

const scopeDescriptions: Readonly<Record<KeyScope, string>> = {
  read: 'Read services, groups, history and catalogues.',
  write: 'Change services, groups, suspensions, corrections, status pages.',
  notifications: 'Read and change addresses, contacts, escalations and templates.',
  reports: 'Read, order and plan reports.',
  account: 'Read and change accounts, their data, shares, sessions and keys.',
  admin: 'Administration, for administrators.',
}

const securitySchemes: Schema = {
  basic: { type: 'http', scheme: 'basic', description: 'Username and password; only without 2FA.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'Token of a session (`POST /sessions`).' },
  api_key: {
    type: 'oauth2',
    description:
      'An API key (`POST /api_keys`) as `Authorization: Bearer KEY`, or an access token that the key is exchanged for (`client_id`: the id of the key, `client_secret`: the key). Each operation names the scope that it needs.',
    flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: scopeDescriptions } },
  },
  oauth: {
    type: 'oauth2',
    description:
      'For programs that people let in by the login form. The token is that of a session; there are no scopes.',
    flows: {
      implicit: { authorizationUrl: '/oauth/authorize', scopes: {} },
      authorizationCode: { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token', scopes: {} },
    },
  },
}

/** Headings that gather several resources. */
const headings: ReadonlyMap<string, string> = new Map([
  ['dictionaries', 'Read-only lists of choices, translated by Accept-Language.'],
  ['admin', 'For administrators of a distribution: its accounts, packages, OAuth clients and what was used.'],
  ['system', 'Diagnostics from a sensor, and the state of the whole system.'],
  ['auth_token', 'The older way to a session; use `sessions`.'],
  ['logs', 'What an account was notified of, how its services changed, and who logged in.'],
  ['history', 'What happened to a service: analyses, checks with their evidence, status changes, service level.'],
])

/**
 * The OpenAPI 3.1 description of every operation, derived from the declarations (specification: What the service does).
 */
export function openApiDocument(
  registry: Registry,
  operations: readonly Operation[],
  language: Language = 'en',
): Schema {
  const abouts = new Map([...registry.all.map(({ name, about }) => [name, about] as const), ...headings])
  const tags = [...new Set(operations.map((operation) => operation.tag))].sort()
  // A whole URL, as linters demand; it leads out of the API's part of the server that is asked.
  const documents = `${exampleBaseUrl}/../docs/${language === 'pl' ? 'pl/' : ''}`
  return withNamedSchemas({
    openapi: '3.1.0',
    info: {
      title: 'Latarnik',
      version: interfaceVersion,
      description: guideIn(language),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: documents, description: pageText('documents', language) },
    servers: [{ url: '/v3', description: 'This server.' }],
    security: Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] })),
    tags: tags.map((name) => ({ name, description: abouts.get(name) ?? `Operations of ${name}.` })),
    paths: pathsOf(registry, operations),
    components: {
      schemas: schemasOf(registry),
      parameters: parameterComponents,
      headers: headerComponents,
      responses: failureResponses(),
      securitySchemes,
    },
  })
}
