import { assertionComparisons, assertionSeverities, assertionSources } from '../../domain/services/assertion.ts'

/** JSON schema of an assertion. */
export const assertionSchema = {
  type: 'object',
  required: ['source', 'comparison'],
  additionalProperties: false,
  properties: {
    source: { type: 'string', enum: assertionSources, description: 'The part of the response that is compared.' },
    path: {
      type: ['string', 'null'],
      description:
        'The name of the header, the JSONPath (RFC 9535), the XPath (1.0) or the property of the certificate; null for other sources.',
    },
    comparison: { type: 'string', enum: assertionComparisons },
    value: {
      // Not a list of types: oapi-codegen writes no type for one.
      anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
      description: 'Null for comparisons that need no value.',
    },
    severity: {
      type: 'string',
      enum: assertionSeverities,
      default: 'failure',
      description: 'degraded: the check succeeds, and the service counts as degraded.',
    },
  },
  example: { source: 'json', path: '$.status', comparison: 'equals', value: 'ok', severity: 'failure' },
} as const
