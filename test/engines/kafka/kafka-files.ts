export const kafkaVersion = '4.3.1';

/** What Maven is asked for. */
export const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hindsight-ledger</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${kafkaVersion}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId>
      <artifactId>log4j-slf4j-impl</artifactId>
      <version>2.25.3</version>
    </dependency>
  </dependencies>
</project>
`;

export const logSettings = `# Warnings, and what the server says of its start and end: 'Kafka Server started' is how a test knows that it is ready.
appenders=out
appender.out.type=Console
appender.out.name=out
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=%d{HH:mm:ss.SSS} %p %c{1} %m%n
rootLogger.level=warn
rootLogger.appenderRefs=out
rootLogger.appenderRef.out.ref=out
logger.server.name=kafka.server
logger.server.level=info
`;
