# Two images: the companion with its program in it, for `spec.companion.image`, and the command.
#   docker build --target companion --tag registry.example.com/weft-companion:0.1.0 .
#   docker build --target command --tag registry.example.com/weft:0.1.0 .
# By digest, as the companion that runs from a ConfigMap: src/shared/contract/companion-env.ts.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# The output is JavaScript: it is built once, on the processor of the machine.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts scripts
COPY src src
RUN npx tsx scripts/build.ts

FROM ${NODE_IMAGE} AS command
# `weft diff` asks git what was rendered before. Git reads only a repository of the user who runs it: `docker run --user`.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/*
COPY bin /weft/bin
COPY docs/errors /weft/docs/errors
COPY examples/ci /weft/examples/ci
COPY LICENSE /weft/LICENSE
COPY package.json /weft/package.json
COPY --from=build /src/node_modules/jiti /weft/node_modules/jiti
COPY --from=build /src/lib /weft/lib
# The user `node`, by number: Kubernetes checks `runAsNonRoot` against it.
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["node", "/weft/bin/weft.cjs"]

FROM ${NODE_IMAGE} AS companion
COPY LICENSE /weft/LICENSE
COPY --from=build /src/lib/companion.cjs /weft/companion.cjs
USER 1000:1000
ENTRYPOINT ["node", "/weft/companion.cjs"]
