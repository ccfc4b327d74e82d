export type DegradedReason = 'slow' | 'certificate' | 'domain' | 'assertion' | 'minority'
