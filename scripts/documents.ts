// Writes every document of docs/ that follows from the code; --check only tells which of them do not say what the code says.
import './openapi.ts'
import './errors.ts'
import './api-coverage.ts'
import './console-types.ts'
import './land-outline.ts'
import './operations.ts'
import './channels.ts'
import './checks.ts'
