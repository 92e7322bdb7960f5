// The HEALTHCHECK of the image. Requests the documentation, which requires no key, from the service or the control
// panel.
const addresses =
  process.argv[2] === undefined ? ['http://127.0.0.1:65400', 'http://127.0.0.1:65402'] : process.argv.slice(2)
const answers = await Promise.all(
  addresses.map((address) =>
    fetch(`${address}/docs`, { signal: AbortSignal.timeout(4000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  ),
)
process.exitCode = answers.includes(true) ? 0 : 1
