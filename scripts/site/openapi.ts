/** The parts of an OpenAPI document that its pages show. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly description?: string
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema?: Schema
}

export type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>

export interface Answer {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Content
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Placed extends Operation {
  readonly method: string
  readonly path: string
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? reference

export function resolved(schema: Schema, { components }: OpenApi): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? {})
}

/** The type in a few words: `string (date-time)`, `array of integer`, `one of: a, b`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref).replaceAll('_', ' ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `one of: ${schema.enum.map(String).join(', ')}`
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  const type = [schema.type ?? 'any'].flat().join(' or ')
  return schema.format === undefined ? type : `${type} (${schema.format})`
}
