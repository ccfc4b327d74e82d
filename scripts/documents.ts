// Writes every generated document of docs/; --check only lists those that differ from the code.
import './openapi.ts'
import './errors.ts'
import './api-coverage.ts'
import './console-types.ts'
import './land-outline.ts'
import './operations.ts'
import './channels.ts'
import './checks.ts'
