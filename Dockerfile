# fiscal-rig in a container: the compiled package on Debian slim, run by an unprivileged user. See server/docs/guide/containers.md.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --include=dev --no-audit --no-fund \
 && npm pack --pack-destination /tmp \
 && npm install --global --prefix /opt/fiscal-rig --no-audit --no-fund /tmp/fiscal-rig-*.tgz

FROM node:24-bookworm-slim
COPY --from=build /opt/fiscal-rig /opt/fiscal-rig
COPY bin/container/health.mjs /opt/fiscal-rig/health.mjs
COPY bin/container/setup.sh /tmp/setup.sh
RUN sh /tmp/setup.sh && rm /tmp/setup.sh
USER fiscal
WORKDIR /data
VOLUME /data
# Ports: HTTP and HTTPS of the service, the control panel, and the first TCP line of an emulated device.
EXPOSE 65400 65401 65402 4999
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "/opt/fiscal-rig/health.mjs"]
ENTRYPOINT ["fiscal-rig"]
# This command listens inside the container only. For others, add --host 0.0.0.0 with a key in a configuration, or --open.
CMD ["serve", "--data", "/data"]
