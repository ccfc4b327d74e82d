export interface ShippedPackage {
  readonly path: string
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly inConsole: boolean
  readonly isInstalled: boolean
  readonly isOptional: boolean
}

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

export const root: string
export function shippedPackages(packages?: Readonly<Record<string, LockedPackage>>): readonly ShippedPackage[]
export function licenceFaults(
  packages: readonly { readonly name: string; readonly version: string; readonly licence?: string | undefined }[],
): readonly string[]
export function consoleNotices(): string
