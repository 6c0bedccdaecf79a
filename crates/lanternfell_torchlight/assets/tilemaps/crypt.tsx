<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="crypt" tilewidth="32" tileheight="32" tilecount="4" columns="4">
 <image source="crypt.png" width="128" height="32"/>
 <tile id="2" type="wall"/>
 <tile id="3">
  <properties>
   <property name="glass" type="bool" value="true"/>
  </properties>
 </tile>
</tileset>
