import type { Executor } from '../../database/connect.ts'
import { useLogos } from '../../database/status-pages/page-logos.ts'
import type { Problem } from '../../domain/input/problem.ts'

/** The look of a status page. */
export interface PageTheme {
  readonly accent?: string | null
  readonly logo_artifact?: string | null
  readonly logo_dark_artifact?: string | null
  readonly logo_alt?: string
}

export const plainTheme = { accent: null, logo_artifact: null, logo_dark_artifact: null, logo_alt: '' } as const

const logos = ['logo_artifact', 'logo_dark_artifact'] as const

/** Members of the theme that name no logo of the owner. The others count as used from now on. */
export async function strangeLogos(
  transaction: Executor,
  ownerId: number,
  theme: PageTheme | undefined,
  now: number,
): Promise<readonly string[]> {
  const named = logos.flatMap((member) => (theme?.[member] == null ? [] : [{ member, id: theme[member] }]))
  const own = await useLogos(transaction, ownerId, [...new Set(named.map(({ id }) => id))], now)
  return named.filter(({ id }) => !own.has(id)).map(({ member }) => member)
}

export function themeProblems(strange: readonly string[]): readonly Problem[] {
  return strange.map((member) => ({
    error: 'incorrect_value',
    field: `data.theme.${member}`,
    facts: { detail: 'logo_of_owner' } as const,
  }))
}
