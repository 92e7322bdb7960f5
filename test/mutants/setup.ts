/** The first failing case detects a mutant, so it is not shrunk. */
import fc from 'fast-check'

fc.configureGlobal({ endOnFailure: true })
