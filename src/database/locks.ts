/** Keys of advisory locks; each is unique in its database. Only a session of the bundled server holds the owner's. */
export const lockKeys = {
  owner: 714_001,
  migrations: 714_002,
  partitions: 714_003,
  /** With the digest of a name. */
  usernames: 714_004,
  /** With the number of a login. */
  diagnostics: 714_005,
  packing: 714_006,
  /** With the digest of an address. */
  mailboxes: 714_007,
  /** With the digest of a destination. */
  destinations: 714_008,
  /** With the number of an account. */
  trials: 714_009,
  /** With the number of an account. */
  dependencies: 714_052,
  slugs: 714_010,
  /** With the digest of a slug. */
  pageSlugs: 714_059,
  /** With the number of an account. */
  coverage: 714_053,
  /** With the number of an account. */
  tags: 714_060,
  /** With the digest of a key of configuration as code. */
  managedKeys: 714_058,
} as const
