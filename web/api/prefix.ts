/** The path that the installation lives below, without a slash at its end; empty at the root of a host. */
export const prefix = document.documentElement.dataset['prefix'] ?? ''
