/** Default number of frames that the device and its control panel retain. */
export const FRAME_HISTORY_SIZE = 2000
