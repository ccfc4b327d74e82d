import * as z from 'zod'
import { gatewayVariables } from '../channels/index.ts'
import { vendorVariables } from '../channels/vendors.ts'
import { apiVariables } from './api-variables.ts'
import { directoryVariables } from './directory-variables.ts'
import { firstLoginVariables } from './first-login-variables.ts'
import { limitVariables } from './limit-variables.ts'
import { oidcVariables } from './oidc-variables.ts'
import { registryVariables } from './registry-variables.ts'
import { sensorVariables } from './sensor-variables.ts'
import { storageVariables } from './storage-variables.ts'
import { split, text, variable } from './variable.ts'
import { watchingVariables } from './watching-variables.ts'

export const roles = ['api', 'monitoring', 'sensor', 'notifier', 'reporter'] as const
export type Role = (typeof roles)[number]

const roleList = text.transform(split).pipe(z.array(z.enum(roles, `must be a comma list of ${roles.join(', ')}`)))

/** Every variable of this program, in the order of docs/operations.md; a test compares both. */
export const variables = {
  ...apiVariables,
  ...storageVariables,
  ROLES: variable({
    defaultText: roles.join(','),
    wrongText: 'api,cook',
    schema: roleList,
    type: 'list',
    meaning: `The tasks of this process: any of ${roles.map((role) => `\`${role}\``).join(', ')}.`,
  }),
  ...firstLoginVariables,
  ...oidcVariables,
  ...directoryVariables,
  ...sensorVariables,
  ...gatewayVariables,
  // Their names follow the channels, so the compiler does not know them.
  ...(vendorVariables as object),
  ...registryVariables,
  ...limitVariables,
  ...watchingVariables,
}
