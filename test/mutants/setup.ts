/** A mutant is noticed with the first case that fails: nobody reads a smaller one. */
import fc from 'fast-check'

fc.configureGlobal({ endOnFailure: true })
