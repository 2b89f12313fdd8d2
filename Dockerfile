# auth-migrate as a small image that runs as nobody special.
#
#   docker build --tag auth-migrate .
#   docker run --rm --init --user "$(id -u):$(id -g)" --volume "$PWD:/work" auth-migrate validate users.csv
#
# Files of the run, the checkpoint above all, belong into a volume: docs/ci.md.
# The base is named by its tag alone, which follows Node.js 22's fixes; a registry says its digest, if yours wants one.

FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No scripts: the packages bring their binaries along, and our own build comes below.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production
COPY --from=build /build/node_modules /opt/auth-migrate/node_modules
COPY --from=build /build/dist/program /opt/auth-migrate/dist/program
COPY package.json LICENSE /opt/auth-migrate/
COPY bin /opt/auth-migrate/bin
COPY docs /opt/auth-migrate/docs
COPY mappings /opt/auth-migrate/mappings
COPY words /opt/auth-migrate/words
# Owned by root and read-only for whoever runs it.
RUN ln -s /opt/auth-migrate/bin/auth-migrate.js /usr/local/bin/auth-migrate \
  && install --directory --owner=node --group=node --mode=0700 /work
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/auth-migrate/bin/auth-migrate.js"]
CMD ["--help"]
