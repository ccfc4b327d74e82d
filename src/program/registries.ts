import type { Config } from '../config/config.ts'
import { usualBootstrapUrl, usualWhoisServer } from '../config/registry-variables.ts'
import { createDialler } from '../outgoing/dial.ts'
import { registryWays } from '../registries/ask.ts'
import type { RegistryOptions } from '../registries/registries.ts'

type Choice = Pick<Config, 'rdapBootstrapUrl' | 'whoisServer' | 'allowPrivateTargets'>

/** Only an installation that chose its own list of registries may have one in a private network. */
export function waysToRegistries({
  rdapBootstrapUrl,
  whoisServer,
  allowPrivateTargets,
}: Choice): Pick<RegistryOptions, 'ways' | 'bootstrapUrl' | 'whois'> {
  const dialler = createDialler({ allow: whoisServer === usualWhoisServer ? [] : allowPrivateTargets })
  return {
    ways: registryWays(rdapBootstrapUrl === usualBootstrapUrl ? [] : allowPrivateTargets),
    bootstrapUrl: rdapBootstrapUrl,
    whois: whoisServer === null ? null : { server: whoisServer, dialler },
  }
}
