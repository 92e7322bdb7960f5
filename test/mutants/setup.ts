/** Switches shrinking off: the first failing case already detects a mutant. */
import fc from 'fast-check'

fc.configureGlobal({ endOnFailure: true })
