import type { Config } from '../config/config.ts'
import { usualBootstrapUrl } from '../config/registry-variables.ts'
import { type RegistryWays, registryWays } from '../registries/ask.ts'

/** Only an installation that chose its own list of registries may have one in a private network. */
export function waysToRegistries({
  rdapBootstrapUrl,
  allowPrivateTargets,
}: Pick<Config, 'rdapBootstrapUrl' | 'allowPrivateTargets'>): RegistryWays {
  return registryWays(rdapBootstrapUrl === usualBootstrapUrl ? [] : allowPrivateTargets)
}
