import { gatus } from './gatus.ts'
import type { Importer } from './importer.ts'

/** Every importer, in the order of the help. */
export const importers: readonly Importer[] = [gatus]
