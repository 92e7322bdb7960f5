/** All published and worked frames of all families, and the REST suite on every family, embedded. */
import { describeService } from '../../api/device.suite.ts'
import '../../frames/frames.test.ts'

for (const family of ['A', 'B', 'C']) describeService(family, 'embedded')
