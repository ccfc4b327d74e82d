import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { channelIds } from '../../channels/index.ts'
import { namingEscalation, ownIds } from '../../database/accounts/on-call.ts'
import { loadPackage } from '../../database/accounts/packages.ts'
import type { Executor } from '../../database/connect.ts'
import { channelProblems, type PackageLimits } from '../../domain/access/limits.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { EscalationStep } from '../../domain/notification/escalation.ts'
import { escalationChanged } from '../../outbox/escalations.ts'
import type { Call } from '../../rest/call.ts'
import { by, one, resource, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, list, object, text } from '../../rest/fields.ts'
import {
  foreignIds,
  ids,
  inUse,
  nameField,
  type OwnerFacts,
  ownerFacts,
  ownerField,
  ownerProblem,
} from './references.ts'

interface Escalation extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly name: string
  readonly steps: readonly EscalationStep[]
}

const targets = { contact_ids: 'contacts', contact_group_ids: 'contact_groups', rotation_ids: 'rotations' } as const

type Target = keyof typeof targets

const targetNames = Object.keys(targets) as readonly Target[]

interface Facts extends OwnerFacts {
  readonly own: Readonly<Record<Target, ReadonlySet<number>>>
  readonly limits: PackageLimits | null
}

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<Escalation>,
  before: Escalation | null,
): Promise<Facts> {
  const owner = ownerFacts(call, given, before)
  const steps: readonly Partial<EscalationStep>[] = given.steps ?? before?.steps ?? []
  const find = (target: Target) => {
    const named = new Set(steps.flatMap((step) => step[target] ?? []))
    return ownIds(transaction, targets[target], [...named], owner.ownerId)
  }
  const own = {
    contact_ids: await find('contact_ids'),
    contact_group_ids: await find('contact_group_ids'),
    rotation_ids: await find('rotation_ids'),
  }
  return { ...owner, own, limits: await loadPackage(transaction, owner.ownerId, { lock: false }) }
}

/** Nobody is named, and every channel is used, unless a step says otherwise. */
const emptyStep = { contact_ids: [], contact_group_ids: [], rotation_ids: [], channel_ids: null, repeat_seconds: null }

function stepProblems(step: EscalationStep, pointer: string, { own, limits }: Facts): readonly Problem[] {
  const isEmpty = targetNames.every((target) => step[target].length === 0)
  const channels = step.channel_ids ?? []
  const noChannel = { error: 'value_too_short', field: `${pointer}.channel_ids`, facts: { minimum: 1 } }
  return [
    ...(isEmpty ? [{ error: 'incorrect_value', field: pointer, facts: { detail: 'step_without_target' } }] : []),
    ...targetNames.flatMap((target) => foreignIds(step[target], own[target], `${pointer}.${target}`)),
    ...(step.channel_ids?.length === 0 ? [noChannel] : []),
    ...(limits === null ? [] : channelProblems(limits, channels, `${pointer}.channel_ids`)),
  ]
}

const write: Writing<Escalation, Facts> = {
  countLimit: { count: countLimits.escalations, per: 'owner_id' },
  allowed: ({ caller }) => mayWrite(caller),
  facts,
  complete: (given, before, { ownerId }) => ({
    row: {
      ...given,
      ...(before === null ? { owner_id: ownerId } : {}),
      ...(given.steps === undefined ? {} : { steps: given.steps.map((step) => ({ ...emptyStep, ...step })) }),
    },
    problems: [],
  }),
  rules: ({ steps }, known) => [
    ...ownerProblem(known),
    ...(steps?.length === 0 ? [{ error: 'value_too_short', field: 'data.steps', facts: { minimum: 1 } }] : []),
    ...(steps ?? []).flatMap((step, index) => stepProblems(step, `data.steps[${index}]`, known)),
  ],
  async changed(transaction, { nowAt }, { id, steps }, before) {
    if (!isDeepStrictEqual(steps, before.steps)) await escalationChanged(transaction, id, nowAt)
  },
  async removing(transaction, _call, { id, owner_id: ownerId }) {
    const problems = inUse(await namingEscalation(transaction, id, ownerId))
    if (problems.length === 0) {
      await transaction.execute(sql`delete from escalation_statuses where escalation_id = ${id}`)
    }
    return problems
  },
}

const stepShape = {
  delay_seconds: integer({
    about: 'Wait before this step, from the step before; of the first one from the notification of the failure.',
    required: true,
    minimum: 0,
    maximum: 7 * 86_400,
  }),
  contact_ids: ids('Contacts that are told.', 100),
  contact_group_ids: ids('Groups whose contacts are told.', 100),
  rotation_ids: ids('Rotations: whoever is on duty when the step is told.', 100),
  channel_ids: list(text({ oneOf: channelIds }), {
    about: 'By which channels; null: by all that a contact has.',
    nullable: true,
    maximumLength: 100,
  }),
  repeat_seconds: integer({
    about:
      'The step is told again so often until the next one, the acknowledgement or the end, a hundred times at most; null: never.',
    nullable: true,
    minimum: 60,
    maximum: 86_400,
  }),
}

export const escalations = resource('escalations', {
  about:
    'Escalations say who is told next while nobody acknowledges a failure. A service uses the escalation of its `escalation_id`, else that of its group.',
  singular: 'escalation',
  making:
    'Its contacts, groups of contacts and rotations exist already. Then a group or a service names it in `escalation_id`.',
  source: table('escalations'),
  fields: {
    id: identifier(),
    owner_id: ownerField,
    name: nameField,
    steps: list(object(stepShape, {}), {
      about: 'In their order; replaced as a whole.',
      required: true,
      maximumLength: 20,
      stored: 'json',
      example: [
        {
          delay_seconds: 300,
          contact_ids: [1],
          contact_group_ids: [],
          rotation_ids: [],
          channel_ids: null,
          repeat_seconds: 600,
        },
      ],
    }),
  },
  relations: { owner: one('accounts', 'owner_id') },
  embed: ['owner', 'permissions'],
  subresources: ['owner'],
  search: ['id', 'name'],
  scope: 'notifications',
  visible: (caller) => ownOrParents(caller),
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: {
    references: {
      'steps.contact_ids': { to: 'contacts' },
      'steps.contact_group_ids': { to: 'contact_groups' },
      'steps.rotation_ids': { to: 'rotations' },
    },
  },
  children: {
    statuses: by('escalation_statuses', 'escalation_id', 'Failures that the escalation has told'),
    suspensions: by('escalation_suspensions', 'escalation_id', 'Suspensions of an escalation'),
    weekly_suspensions: by('escalation_weekly_suspensions', 'escalation_id', 'Weekly suspensions of an escalation'),
  },
  write,
})
