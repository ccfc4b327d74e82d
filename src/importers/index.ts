import { blackboxExporter } from './blackbox-exporter.ts'
import { gatus } from './gatus.ts'
import { healthchecks } from './healthchecks.ts'
import type { Importer } from './importer.ts'
import { statuspage } from './statuspage.ts'
import { uptimeKuma } from './uptime-kuma.ts'
import { uptimerobot } from './uptimerobot.ts'

/** Every importer, in the order of the help. */
export const importers: readonly Importer[] = [
  ...[uptimeKuma, uptimerobot, gatus, healthchecks, blackboxExporter, statuspage],
]
